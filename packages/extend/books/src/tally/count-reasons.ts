import type { Kernel, KernelBatch, KernelColumn } from '@leeward/artifact';
import { STATUS_CODES } from '@leeward/engine';
import { type BookTables, type BookType, NO_INTERVAL } from '../tables/book-tables.ts';
import type { BookTally } from './tally.ts';

/** The number of a reason that is not counted. */
const NONE = 65_535;

/** The numbers of the reasons of a policy type: one for each carrier and code. */
interface CountedReasons {
  readonly numbers: Uint16Array;
  readonly carriers: Uint16Array;
  /** By number. */
  readonly codes: readonly string[];
}

const countedByType = new WeakMap<BookType, CountedReasons>();

/**
 * Counts the reasons of certain declines. Several rules of a carrier with one code count once.
 *
 * @param codes Status codes of the batch.
 */
export function countReasons(
  tables: BookTables,
  kernel: Kernel,
  batch: KernelBatch,
  codes: Uint8Array,
  tally: BookTally,
): void {
  const { carrierCount } = tables;
  for (const [type, rows] of rowsByType(tables, batch)) {
    const counted = countedByType.get(type) ?? countedReasons(type);
    countedByType.set(type, counted);
    const { numbers, carriers } = counted;
    const own = new Uint8Array(rows.length * carrierCount);
    rows.forEach(
      (row, index) => void own.set(codes.subarray(row * carrierCount, (row + 1) * carrierCount), index * carrierCount),
    );
    const picked = pickRows(batch, rows);
    const counts = kernel.countReasons(picked, picked.intervals[0]!, picked.policyTypes[0]!, {
      numbers,
      carriers,
      codes: own,
    });
    counted.codes.forEach((code, number) => {
      if (counts[number]! > 0) tally.addReason(code, carriers[number]!, counts[number]!);
    });
  }
}

const INELIGIBLE = STATUS_CODES.indexOf('ineligible');
/** As in `Kernel.explain`. */
const HOLDS = 2;

/**
 * Sets 1 in `marks` for each row that some carrier certainly declines for the reason: the rows that `countReasons` counts.
 *
 * @param codes Status codes of the batch.
 */
export function markReason(
  tables: BookTables,
  kernel: Kernel,
  batch: KernelBatch,
  codes: Uint8Array,
  reason: string,
  marks: Uint8Array,
): void {
  for (const [{ reasons }, rows] of rowsByType(tables, batch)) {
    const places = reasons.flatMap(({ carrier, code, outcome }, place) =>
      outcome === 'decline' && code === reason ? [{ carrier, place }] : [],
    );
    if (places.length === 0) continue;
    const picked = pickRows(batch, rows);
    const explained = kernel.explain(picked, picked.intervals[0]!, picked.policyTypes[0]!);
    rows.forEach((row, index) => {
      const isDeclined = places.some(
        ({ carrier, place }) =>
          explained[index * reasons.length + place] === HOLDS &&
          codes[row * tables.carrierCount + carrier] === INELIGIBLE,
      );
      if (isDeclined) marks[row] = 1;
    });
  }
}

/** Rows of a batch that have one interval and one policy type. */
function rowsByType({ intervals }: BookTables, batch: KernelBatch): ReadonlyMap<BookType, readonly number[]> {
  const groups = new Map<BookType, number[]>();
  for (let row = 0; row < batch.rows; row++) {
    if (batch.intervals[row] === NO_INTERVAL) continue;
    const type = intervals[batch.intervals[row]!]!.types[batch.policyTypes[row]!]!;
    const group = groups.get(type);
    if (group) group.push(row);
    else groups.set(type, [row]);
  }
  return groups;
}

function countedReasons({ reasons }: BookType): CountedReasons {
  const byKey = new Map<string, number>();
  const names: { readonly carrier: number; readonly code: string }[] = [];
  const numbers = Uint16Array.from(reasons, ({ carrier, code, outcome }) => {
    if (outcome !== 'decline') return NONE;
    const key = `${carrier} ${code}`;
    const number = byKey.get(key) ?? names.push({ carrier, code }) - 1;
    byKey.set(key, number);
    return number;
  });
  return {
    numbers,
    carriers: Uint16Array.from(names, ({ carrier }) => carrier),
    codes: names.map(({ code }) => code),
  };
}

function pickRows(batch: KernelBatch, rows: readonly number[]): KernelBatch {
  const pick = <T extends Float64Array | Int32Array | Uint16Array | Uint8Array>(from: T): T => {
    const picked = new (from.constructor as new (length: number) => T)(rows.length);
    for (let index = 0; index < rows.length; index++) picked[index] = from[rows[index]!]!;
    return picked;
  };
  const pickColumn = (column: KernelColumn | undefined): KernelColumn | undefined =>
    column && { values: pick(column.values), upper: column.upper && pick(column.upper) };
  return {
    ...batch,
    rows: rows.length,
    policyTypes: pick(batch.policyTypes),
    states: pick(batch.states),
    counties: pick(batch.counties),
    intervals: pick(batch.intervals),
    inputs: batch.inputs.map(pickColumn),
  };
}
