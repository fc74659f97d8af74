import { type PairPlan, type PlannedTable, planPairs, wordsOf } from './pair-plan.ts';
import { FRONT, type PlaneTable } from './plane-table.ts';
import { type RowClasses, tableRowsOf } from './row-classes.ts';

/**
 * Pair tables are a `PlaneTable` prepared for many homes. For two axes that terms test together, an entry for each pair of cell classes
 * has the combined outcome of all their planes. A home costs one lookup per pair of axes, without a branch, whether its values are known
 * or unknown. Planes of more axes, or with too many classes, are ANDed as usual.
 *
 * All numbers are in one array, `words`. First the entries. Then a record for each row of each axis, with the positions of its entries:
 * a pair's position is the sum of the numbers of both rows. Then the steps of each outcome: an axis, and the number to add to the offset
 * of its row to find the word of its record.
 */

/** Words of an entry: carriers that possibly have the outcome, low and high, then those that certainly do. */
const ENTRY = 4;

/** The positions in `words` of the steps of one outcome. */
export interface OutcomePairs {
  /** Carriers that always have the outcome, low and high. */
  readonly always: Int32Array;
  /** First step of two axes: two numbers for each axis. */
  readonly pairs: number;
  /** First step of one axis. */
  readonly singles: number;
  /** First plane: lanes with a term, low and high, the position of the next plane, then its axes. */
  readonly planes: number;
  readonly end: number;
}

export interface PairTables {
  /** By axis, the factor from a row number to its offset. */
  readonly widths: Int32Array;
  readonly words: Int32Array;
  readonly decline: OutcomePairs;
  readonly refer: OutcomePairs;
}

/** An axis, and a word of its records. */
interface Side {
  readonly axis: number;
  readonly place: number;
}

const byTable = new WeakMap<PlaneTable, PairTables>();

export function pairTablesOf(table: PlaneTable): PairTables {
  const pairs = byTable.get(table) ?? buildPairTables(table);
  byTable.set(table, pairs);
  return pairs;
}

function buildPairTables(table: PlaneTable): PairTables {
  const { rows, width, planeStart, planeAxes, present, declinePlanes } = table;
  const tableRows = tableRowsOf(table);
  const { starts, certain, classesOf } = tableRows;
  const records: Int32Array[][] = starts.slice(1).map(() => []);
  const entries: Int32Array[] = [];
  let entryWords = 0;

  /** Adds a word to the records of an axis. */
  const addSide = (axis: number, { ofRow }: RowClasses, from: number, step: number): Side => {
    const place = records[axis]!.push(ofRow.map((each) => from + step * each)) - 1;
    return { axis, place };
  };
  /** Adds entries and returns their position. */
  const addEntries = (words: Int32Array): number => {
    entries.push(words);
    entryWords += words.length;
    return entryWords - words.length;
  };
  /** For each row of an axis, an entry for each plane and front of a table. The front of the other axis accepts all. */
  const entriesOf = ({ planes, fronts }: PlannedTable, axis: number, samples: readonly number[], front: number) => {
    const words: number[] = [];
    const add = (row: number, column: number) => {
      const [at, certainAt] = [row * width + column, certain[row]! * width + column];
      words.push(rows[at]!, rows[at + 1]!, rows[certainAt]!, rows[certainAt + 1]!);
    };
    for (const row of samples) {
      for (const plane of planes) add(row, FRONT + 2 * plane);
      for (const each of fronts) each === axis ? add(row, front) : words.push(-1, -1, -1, -1);
    }
    return Int32Array.from(words);
  };
  /** Adds the entries of a table: by classes of its first axis, then of its second. */
  const layOut = (planned: PlannedTable, front: number): readonly Side[] => {
    const { axes, planes, fronts } = planned;
    const classes = axes.map((axis) => classesOf(axis, wordsOf(planned, axis, front)));
    const ofAxes = axes.map((axis, index) => entriesOf(planned, axis, classes[index]!.samples, front));
    const count = planes.length + fronts.length;
    const lanes = Int32Array.from([
      ...planes.flatMap((plane) => [0, 1, 0, 1].map((side) => present[2 * plane + side]!)),
      ...fronts.flatMap(() => [-1, -1, -1, -1]),
    ]);
    // A single axis is paired with an axis of one row that accepts all.
    const [one, two = new Int32Array(ENTRY * count).fill(-1)] = ofAxes as [Int32Array, Int32Array?];
    const entryWords = combineEntries(one, two, lanes);
    const [first, second] = classes as [RowClasses, RowClasses?];
    const sides = [addSide(axes[0]!, first, addEntries(entryWords), (ENTRY * two.length) / lanes.length)];
    if (second) sides.push(addSide(axes[1]!, second, 0, ENTRY));
    return sides;
  };
  const layOutStep = (axis: number, plane: number): Side => {
    const classes = classesOf(axis, [FRONT + 2 * plane]);
    const words = entriesOf({ axes: [axis], planes: [plane], fronts: [] }, axis, classes.samples, 0);
    return addSide(axis, classes, addEntries(words), ENTRY);
  };
  const layOutAll = ({ pairs, singles, planes }: PairPlan, front: number) => ({
    pairs: pairs.flatMap((each) => layOut(each, front)),
    singles: singles.flatMap((each) => layOut(each, front)),
    planes: planes.map((plane) => ({
      plane,
      sides: Array.from(planeAxes.subarray(planeStart[plane], planeStart[plane + 1]), (axis) =>
        layOutStep(axis, plane),
      ),
    })),
  });

  const declines = layOutAll(planPairs(table, tableRows, 0, declinePlanes, 0), 0);
  const refers = layOutAll(planPairs(table, tableRows, declinePlanes, planeStart.length - 1, 2), 2);
  const recordWords = layOutRecords(records, starts, entryWords);
  const stepsFrom = entryWords + recordWords.words.length;
  const steps: number[] = [];
  const addSteps = (sides: readonly Side[]): number => {
    for (const { axis, place } of sides) steps.push(axis, recordWords.shifts[axis]! + place);
    return stepsFrom + steps.length;
  };
  const outcomeOf = ({ pairs, singles, planes }: typeof declines, front: number): OutcomePairs => {
    const from = stepsFrom + steps.length;
    const afterPairs = addSteps(pairs);
    const afterSingles = addSteps(singles);
    for (const { plane, sides } of planes) {
      steps.push(present[2 * plane]!, present[2 * plane + 1]!, stepsFrom + steps.length + 3 + 2 * sides.length);
      addSteps(sides);
    }
    const always = table.always.slice(front, front + 2);
    return { always, pairs: from, singles: afterPairs, planes: afterSingles, end: stepsFrom + steps.length };
  };
  const [decline, refer] = [outcomeOf(declines, 0), outcomeOf(refers, 2)];
  return {
    // An axis without records keeps its row numbers: reasons are counted from the same offsets.
    widths: Int32Array.from(records, ({ length }) => Math.max(1, length)),
    words: concatenate([...entries, recordWords.words, Int32Array.from(steps)]),
    decline,
    refer,
  };
}

/** The entry of each pair of rows: the lanes that both accept in any plane. */
function combineEntries(one: Int32Array, two: Int32Array, lanes: Int32Array): Int32Array {
  const { length } = lanes;
  const entries = new Int32Array((ENTRY * one.length * two.length) / (length * length));
  let at = 0;
  for (let a = 0; a < one.length; a += length) {
    for (let b = 0; b < two.length; b += length) {
      for (let index = 0; index < length; index++)
        entries[at + (index & 3)]! |= lanes[index]! & one[a + index]! & two[b + index]!;
      at += ENTRY;
    }
  }
  return entries;
}

/**
 * Concatenates the records of all rows after `before` other words.
 *
 * @returns `shifts`: by axis, the number to add to the offset of a row to find its record.
 */
function layOutRecords(records: readonly (readonly Int32Array[])[], starts: readonly number[], before: number) {
  const shifts: number[] = [];
  let length = 0;
  records.forEach((words, axis) => {
    shifts.push(before + length - starts[axis]! * words.length);
    length += words.length * (starts[axis + 1]! - starts[axis]!);
  });
  const all = new Int32Array(length);
  let from = 0;
  for (const words of records) {
    words.forEach((word, place) => {
      setEach(all, from + place, words.length, word);
    });
    from += words.length * (words[0]?.length ?? 0);
  }
  return { words: all, shifts };
}

function setEach(all: Int32Array, from: number, step: number, words: Int32Array): void {
  for (let index = 0, at = from; index < words.length; index++, at += step) all[at] = words[index]!;
}

function concatenate(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
