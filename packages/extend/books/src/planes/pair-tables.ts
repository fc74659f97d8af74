import { type PairPlan, type PlannedTable, planPairs, wordsOf } from './pair-plan.ts';
import { FRONT, type PlaneTable } from './plane-table.ts';
import { type RowClasses, tableRowsOf } from './row-classes.ts';

/** Words of an entry: who possibly has the outcome, low and high, and who certainly has. */
const ENTRY = 4;

/**
 * What terms of one outcome say. Its steps stand in the words of the tables, one kind after another: an axis is given by its number and
 * by what is added to the offset of its row.
 */
export interface OutcomePairs {
  /** Who always has the outcome, low and high. */
  readonly always: Int32Array;
  /** Where steps of two axes begin: two numbers for each. */
  readonly pairs: number;
  /** Where steps of one axis begin. */
  readonly singles: number;
  /** Where planes begin: carriers with a term there, low and high, where the next begins, then its axes. */
  readonly planes: number;
  readonly end: number;
}

/**
 * A `PlaneTable` for reading many homes: what the terms of two axes say together is worked out for each pair of their cells, those
 * that rules tell apart. A home takes a look-up for each pair of axes, whatever it leaves out: none of that hangs on a branch.
 */
export interface PairTables {
  /** By axis, the words of a record; the offset of a row is its number in the table times that. */
  readonly widths: Int32Array;
  /** Entries; then records: for each row of each axis, where its entries are (of a pair of axes the sum of both); then steps. */
  readonly words: Int32Array;
  readonly decline: OutcomePairs;
  readonly refer: OutcomePairs;
}

/** An axis, and which word of its records is meant. */
interface Side {
  readonly axis: number;
  readonly place: number;
}

const byTable = new WeakMap<PlaneTable, PairTables>();

/** The pairs of a table, worked out once: books judged at other instants, or in other parts, read the same. */
export function pairTablesOf(table: PlaneTable): PairTables {
  const known = byTable.get(table) ?? workOut(table);
  byTable.set(table, known);
  return known;
}

function workOut(table: PlaneTable): PairTables {
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
  /** Adds entries; gives where they begin. */
  const addEntries = (words: Int32Array): number => {
    entries.push(words);
    entryWords += words.length;
    return entryWords - words.length;
  };
  /**
   * What rows of an axis say in a table, entry by entry: for each row, its words in each plane and in each front, which lets through
   * what the other axis decides alone.
   */
  const saysOf = ({ planes, fronts }: PlannedTable, axis: number, samples: readonly number[], front: number) => {
    const says: number[] = [];
    const add = (row: number, column: number) => {
      const [possible, behind] = [row * width + column, certain[row]! * width + column];
      says.push(rows[possible]!, rows[possible + 1]!, rows[behind]!, rows[behind + 1]!);
    };
    for (const row of samples) {
      for (const plane of planes) add(row, FRONT + 2 * plane);
      for (const of of fronts) of === axis ? add(row, front) : says.push(-1, -1, -1, -1);
    }
    return Int32Array.from(says);
  };
  /** Lays out the entries of a table: by classes of its first axis, then of its second. */
  const layOut = (planned: PlannedTable, front: number): readonly Side[] => {
    const { axes, planes, fronts } = planned;
    const classes = axes.map((axis) => classesOf(axis, wordsOf(planned, axis, front)));
    const says = axes.map((axis, index) => saysOf(planned, axis, classes[index]!.samples, front));
    const count = planes.length + fronts.length;
    const there = Int32Array.from([
      ...planes.flatMap((plane) => [0, 1, 0, 1].map((side) => present[2 * plane + side]!)),
      ...fronts.flatMap(() => [-1, -1, -1, -1]),
    ]);
    // Of one axis alone: as if there were a second of which nothing is known.
    const [one, two = new Int32Array(ENTRY * count).fill(-1)] = says as [Int32Array, Int32Array?];
    const entryWords = combineSays(one, two, there);
    const [first, second] = classes as [RowClasses, RowClasses?];
    const sides = [addSide(axes[0]!, first, addEntries(entryWords), (ENTRY * two.length) / there.length)];
    if (second) sides.push(addSide(axes[1]!, second, 0, ENTRY));
    return sides;
  };
  /** Lays out what the rows of one axis let through in a plane. */
  const layOutStep = (axis: number, plane: number): Side => {
    const classes = classesOf(axis, [FRONT + 2 * plane]);
    const says = saysOf({ axes: [axis], planes: [plane], fronts: [] }, axis, classes.samples, 0);
    return addSide(axis, classes, addEntries(says), ENTRY);
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
  const laid = layOutRecords(records, starts, entryWords);
  const stepsFrom = entryWords + laid.words.length;
  const steps: number[] = [];
  const addSteps = (sides: readonly Side[]): number => {
    for (const { axis, place } of sides) steps.push(axis, laid.shifts[axis]! + place);
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
    widths: Int32Array.from(records, ({ length }) => length),
    words: joined([...entries, laid.words, Int32Array.from(steps)]),
    decline,
    refer,
  };
}

/** What each pair of rows says together: of what is there, all that both let through. */
function combineSays(one: Int32Array, two: Int32Array, there: Int32Array): Int32Array {
  const { length } = there;
  const entries = new Int32Array((ENTRY * one.length * two.length) / (length * length));
  let at = 0;
  for (let a = 0; a < one.length; a += length) {
    for (let b = 0; b < two.length; b += length) {
      for (let index = 0; index < length; index++)
        entries[at + (index & 3)]! |= there[index]! & one[a + index]! & two[b + index]!;
      at += ENTRY;
    }
  }
  return entries;
}

/**
 * Puts the words of each row side by side, to stand behind `before` other words. `shifts`: what is added to the offset of a row to have
 * its first word.
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

function joined(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
