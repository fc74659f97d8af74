import type { Knowledge, Vocabulary } from '@leeward/engine';
import {
  boundByRelations,
  type CellSet,
  cellsOf,
  cellsOfRange,
  difference,
  fullSet,
  has,
  intersects,
  isEmpty,
  isWithinSet,
  layoutOf,
  PLACE,
  placeTerm,
  setOf,
  type Term,
} from '@leeward/engine/compiled';
import type { EncodedRows } from './encoded-rows.ts';
import type { PlaneTable } from './plane-table.ts';
import { type FieldAxis, rangeCount, rangeNumber } from './row-layout.ts';
import type { StatusBoxes } from './status-boxes.ts';

/**
 * Finds the carriers whose open status needs a search. If a decline is possible, the status is settled only if the declining terms
 * together cover every possible property; otherwise only if the referring terms do. They do not if every axis that is not settled has a
 * safe cell: one at which all of those terms that test the axis fail.
 *
 * The safe cells of an axis are computed once for each state: for an unknown value, and for one that a relation bounds on one side. Those
 * of a range of a computed fact are computed when a row first needs them.
 */
export interface CoverCheck {
  ofState(state: string): StateCheck;
  /**
   * Writes those of the open carriers that need a search, low and high, into `into`. `declines`: carriers for which a decline is
   * possible, low and high.
   */
  find(
    check: StateCheck,
    encoded: EncodedRows,
    property: number,
    declinesLow: number,
    declinesHigh: number,
    into: Int32Array,
  ): void;
}

export interface StateCheck {
  /** Offset of the row of an unknown county. */
  readonly unknownPlace: number;
  /**
   * Sets of carriers, four words each: those without a safe cell from their declining terms (low, high), and from their referring terms.
   * By axis, if nothing is known.
   */
  readonly unknown: Int32Array;
  /** By axis: those with a term that tests it. */
  readonly tested: Int32Array;
  /** Low and high: those that may need a search, for columns without lists. */
  readonly any: Int32Array;
  /** As `any`, for columns with lists, which bound the fields that count them. */
  readonly anyWithLists: Int32Array;
  /** By axis and cell, if the value is in this cell or any above. Undefined for an axis without such rows. */
  readonly from: readonly (Int32Array | undefined)[];
  /** Like `from`, for this cell or any below it. */
  readonly upTo: readonly (Int32Array | undefined)[];
  /** For a value in a range of cells, by axis and number of the range. */
  readonly ofRange: (axis: number, range: number) => Int32Array;
}

const WORDS = 4;

export interface CoverCheckOptions {
  readonly vocabulary: Vocabulary;
  /** Words of a row of an axis: an offset is the number of a row times that. */
  readonly widthOf: (axis: number) => number;
  /** Counts only moratoria in force. @default counts all */
  readonly asOfMs?: number;
}

export function createCoverCheck(
  table: PlaneTable,
  { carriers, cellsOfState }: StatusBoxes,
  { vocabulary, widthOf, asOfMs }: CoverCheckOptions,
): CoverCheck {
  const { axes } = table;
  const axisCount = axes.length + 1;
  const chained = chainedFields(vocabulary, table.effectiveYear);
  const moratoria = table.moratoria.filter(
    ({ fromMs, untilMs }) => asOfMs === undefined || (fromMs <= asOfMs && asOfMs < untilMs),
  );
  const possible = possibleCells(axes, vocabulary, table.effectiveYear);
  const widths = Int32Array.from({ length: axisCount }, (_, axis) => widthOf(axis));
  const unknownAt = Int32Array.from(widths, (width, axis) => (axis === PLACE ? -1 : axes[axis - 1]!.firstRow * width));
  const checks = new Map<string, StateCheck>();

  const findState = (state: string): StateCheck => {
    const here = cellsOfState.get(state)!;
    const unknown = new Int32Array(WORDS * axisCount);
    const tested = new Int32Array(WORDS * axisCount);
    const rowsOf = (firstRow: number, size: number) => (firstRow < 0 ? undefined : new Int32Array(WORDS * size));
    const from = [undefined, ...axes.map(({ fromRow, size }) => rowsOf(fromRow, size))];
    const upTo = [undefined, ...axes.map(({ upToRow, size }) => rowsOf(upToRow, size))];
    const ofRanges: RangeParts[][] = [undefined, ...axes].map(() => []);
    const addTerms = (terms: readonly Term[], word: number, bit: number) => {
      for (const [axis, parts] of partsByAxis(terms, here)) {
        const field = axis === PLACE ? undefined : axes[axis - 1]!;
        if (field && hasRanges(field)) ofRanges[axis]!.push({ parts, word, bit });
        const open = field ? possible[axis - 1]! : here;
        const isChained = field !== undefined && chained.has(field.field);
        tested[WORDS * axis + word]! |= bit;
        if (isChained || !hasSafeCell(parts, open)) unknown[WORDS * axis + word]! |= bit;
        const add = (words: Int32Array | undefined, unsafe: (size: number) => ArrayLike<boolean>) => {
          if (!words) return;
          const cells = isChained ? [] : unsafe(field!.size);
          for (let cell = 0; cell < field!.size; cell++) if (cells[cell] ?? true) words[WORDS * cell + word]! |= bit;
        };
        add(upTo[axis], (size) => unsafeUpTo(parts, open, size));
        add(from[axis], (size) => unsafeFrom(parts, open, size));
      }
    };
    carriers.forEach(({ declining, referring }, carrier) => {
      const word = carrier >> 5;
      const bit = 1 << (carrier & 31);
      const stops = moratoria.filter((each) => each.carrier === carrier).map(({ cells }) => placeTerm(cells));
      addTerms([...stops, ...declining], word, bit);
      addTerms(referring, 2 + word, bit);
    });
    const unknownPlace = table.place.states.get(state)!.unknownRow * widths[PLACE]!;
    const any = new Int32Array(2);
    for (const words of [unknown, ...from, ...upTo])
      words?.forEach((bits, at) => {
        any[at & 1]! |= bits;
      });
    const anyWithLists = any.slice();
    axes.forEach(({ computed }, index) => {
      for (const { word, bit } of ofRanges[index + 1]!) {
        anyWithLists[word & 1]! |= bit;
        if (computed) any[word & 1]! |= bit;
      }
    });
    const byRange = new Map<number, Int32Array>();
    const ofRange = (axis: number, range: number): Int32Array => {
      const key = range * axisCount + axis;
      let words = byRange.get(key);
      if (!words) {
        words = unsafeInRange(ofRanges[axis]!, range, axes[axis - 1]!.size);
        byRange.set(key, words);
      }
      return words;
    };
    return { unknownPlace, unknown, tested, any, anyWithLists, from, upTo, ofRange };
  };

  return {
    ofState(state) {
      const check = checks.get(state) ?? findState(state);
      checks.set(state, check);
      return check;
    },
    find({ unknownPlace, unknown, tested, from, upTo, ofRange }, encoded, property, declinesLow, declinesHigh, into) {
      const { offsets, loose, looseCount } = encoded;
      const start = property * axisCount;
      const end = start + looseCount[property]!;
      let low = 0;
      let high = 0;
      for (let each = start; each < end; each++) {
        const axis = loose[each]!;
        const offset = offsets[start + axis]!;
        let words = unknown;
        let at = WORDS * axis;
        if (offset !== (axis === PLACE ? unknownPlace : unknownAt[axis])) {
          const row = offset / widths[axis]!;
          const { fromRow, upToRow, rangeRow, size } = axis === PLACE ? WITHOUT_BOUNDS : axes[axis - 1]!;
          // Two rows per cell.
          if (fromRow >= 0 && row >= fromRow && row < fromRow + 2 * size) {
            words = from[axis]!;
            at = (WORDS * (row - fromRow)) >> 1;
          } else if (upToRow >= 0 && row >= upToRow && row < upToRow + 2 * size) {
            words = upTo[axis]!;
            at = (WORDS * (row - upToRow)) >> 1;
          } else if (rangeRow >= 0 && row >= rangeRow && row < rangeRow + 2 * rangeCount(size)) {
            words = ofRange(axis, (row - rangeRow) >> 1);
            at = 0;
          } else words = tested;
        }
        low |= (words[at]! & declinesLow) | (words[at + 2]! & ~declinesLow);
        high |= (words[at + 1]! & declinesHigh) | (words[at + 3]! & ~declinesHigh);
      }
      into[0] = low;
      into[1] = high;
    },
  };
}

const WITHOUT_BOUNDS: Pick<FieldAxis, 'fromRow' | 'upToRow' | 'rangeRow' | 'size'> = {
  fromRow: -1,
  upToRow: -1,
  rangeRow: -1,
  size: 0,
};

/** The cells that the terms of a carrier accept on an axis, and the word and bit of the carrier. */
interface RangeParts {
  readonly parts: readonly CellSet[];
  readonly word: number;
  readonly bit: number;
}

const hasRanges = ({ rangeRow, anyRangeRow }: FieldAxis) => rangeRow >= 0 || anyRangeRow >= 0;

/** The carriers without a safe cell in a range, as four words. */
function unsafeInRange(all: readonly RangeParts[], range: number, size: number): Int32Array {
  const words = new Int32Array(WORDS);
  let first = 0;
  while (rangeNumber(first + 1, first + 2, size) <= range && first + 2 < size) first++;
  const last = range - rangeNumber(first, first + 1, size) + first + 1;
  const open = setOf(size, (cell) => cell >= first && cell <= last);
  for (const { parts, word, bit } of all) if (!hasSafeCell(parts, open)) words[word]! |= bit;
  return words;
}

/** By axis, the cells that terms accept, for terms that apply in a state and tell its places apart. */
function partsByAxis(terms: readonly Term[], here: CellSet): ReadonlyMap<number, readonly CellSet[]> {
  const byAxis = new Map<number, CellSet[]>();
  for (const term of terms) {
    if (term[0]?.axis === PLACE && !intersects(here, term[0].cells)) continue;
    for (const { axis, cells } of term) {
      if (axis === PLACE && isWithinSet(here, cells)) continue;
      const sets = byAxis.get(axis);
      if (sets) sets.push(cells);
      else byAxis.set(axis, [cells]);
    }
  }
  return byAxis;
}

/** True if a cell is in none of the parts. A part with all open cells tests nothing there. */
function hasSafeCell(parts: readonly CellSet[], open: CellSet): boolean {
  let safe = open;
  for (const part of parts) if (!isWithinSet(open, part)) safe = difference(safe, part);
  return !isEmpty(safe);
}

/**
 * By cell, whether there is no safe cell up to it. A part that accepts all open cells up to there tests nothing, so a cell is safe below
 * the first cell that fails one of its parts.
 */
function unsafeUpTo(parts: readonly CellSet[], open: CellSet, size: number): boolean[] {
  const safeBelow = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  for (const part of parts) {
    const first = cellsOf(difference(open, part)).at(0) ?? Number.POSITIVE_INFINITY;
    for (const cell of cellsOf(part)) safeBelow[cell] = Math.min(safeBelow[cell]!, first);
  }
  let highest = -1;
  return Array.from(safeBelow, (below, cell) => {
    if (has(open, cell)) highest = Math.max(highest, below);
    return highest <= cell;
  });
}

/** Like `unsafeUpTo`, for a cell and all above it. */
function unsafeFrom(parts: readonly CellSet[], open: CellSet, size: number): boolean[] {
  const safeAbove = new Float64Array(size).fill(-1);
  for (const part of parts) {
    const last = cellsOf(difference(open, part)).at(-1) ?? -1;
    for (const cell of cellsOf(part)) safeAbove[cell] = Math.max(safeAbove[cell]!, last);
  }
  const unsafe = new Array<boolean>(size);
  let lowest = size;
  for (let cell = size - 1; cell >= 0; cell--) {
    if (has(open, cell)) lowest = Math.min(lowest, safeAbove[cell]!);
    unsafe[cell] = lowest >= cell;
  }
  return unsafe;
}

/** By axis, the possible cells of an unknown field: the domains of related fields bound one another. */
function possibleCells(axes: readonly FieldAxis[], vocabulary: Vocabulary, effectiveYear: number): CellSet[] {
  const layout = layoutOf(vocabulary);
  const domains = layout.domainsOf(effectiveYear);
  const unknown: Knowledge[] = domains.map(() => undefined);
  const bounded = boundByRelations(unknown, layout, domains);
  return axes.map((axis) => cellsOfKnowledge(axis, bounded[axis.field]));
}

/** The cells of a field that is unknown, or known within bounds. */
export function cellsOfKnowledge({ encoder, size }: FieldAxis, knowledge: Knowledge): CellSet {
  if (encoder.kind !== 'number') return fullSet(size);
  // Relations may leave a single value.
  const range = typeof knowledge === 'number' ? { min: knowledge, max: knowledge } : knowledge;
  if (typeof range !== 'object' || !('min' in range)) return fullSet(size);
  const cells = cellsOfRange(encoder, size, range.min, range.max);
  return isEmpty(cells) ? fullSet(size) : cells;
}

/**
 * Fields whose bounds do not follow from the row of one field: a field that is the lower of one relation and the higher of another
 * passes bounds on, and whole numbers may bound fractional ones.
 */
function chainedFields(vocabulary: Vocabulary, effectiveYear: number): ReadonlySet<number> {
  const { relations, domainsOf } = layoutOf(vocabulary);
  const domains = domainsOf(effectiveYear);
  const isWhole = (field: number) => {
    const { domain } = domains[field]!;
    return domain.kind === 'numbers' && domain.integer;
  };
  const chained = new Set(
    relations.flatMap(({ lower, higher }) => [
      ...(isWhole(lower) === isWhole(higher) ? [] : [lower]),
      ...(relations.some((other) => other.higher === lower) ? [lower] : []),
    ]),
  );
  for (let before = -1; before !== chained.size; ) {
    before = chained.size;
    for (const { lower, higher } of relations) {
      if (chained.has(lower)) chained.add(higher);
      else if (chained.has(higher)) chained.add(lower);
    }
  }
  return chained;
}
