import type { Kernel, KernelBatch, KernelColumn } from '@leeward/artifact';
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
  { intervals, carrierCount }: BookTables,
  kernel: Kernel,
  batch: KernelBatch,
  codes: Uint8Array,
  tally: BookTally,
): void {
  const groups = new Map<BookType, number[]>();
  for (let row = 0; row < batch.rows; row++) {
    if (batch.intervals[row] === NO_INTERVAL) continue;
    const type = intervals[batch.intervals[row]!]!.types[batch.policyTypes[row]!]!;
    const group = groups.get(type);
    if (group) group.push(row);
    else groups.set(type, [row]);
  }
  for (const [type, rows] of groups) {
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
