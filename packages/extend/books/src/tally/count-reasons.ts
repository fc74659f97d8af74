import type { Kernel, KernelBatch, KernelColumn } from '@leeward/artifact';
import { STATUS_CODES } from '@leeward/engine';
import type { BookTables, BookType } from '../tables/book-tables.ts';
import type { BookTally } from './tally.ts';

const INELIGIBLE = STATUS_CODES.indexOf('ineligible');
/** Bytes with the value 2, "holds", in a word of four reasons. */
const HOLDS = 0x02_02_02_02;

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
    const type = intervals[batch.intervals[row]!]!.types[batch.policyTypes[row]!]!;
    const group = groups.get(type);
    if (group) group.push(row);
    else groups.set(type, [row]);
  }
  for (const [type, rows] of groups) {
    if (type.reasons.length === 0) continue;
    const truths = kernel.explain(pickRows(batch, rows), batch.intervals[rows[0]!]!, batch.policyTypes[rows[0]!]!);
    addCounts(type, truths, rows, (row, carrier) => codes[row * carrierCount + carrier] === INELIGIBLE, tally);
  }
}

/** @param truths 0, 1 or 2 for each row and reason. Few are 2, so four are tested at once. */
function addCounts(
  { reasons }: BookType,
  truths: Uint8Array,
  rows: readonly number[],
  isDeclined: (row: number, carrier: number) => boolean,
  tally: BookTally,
): void {
  const byKey = new Map<string, number>();
  const names: { readonly carrier: number; readonly code: string }[] = [];
  /** By reason, the number of its carrier and code; −1 if it does not decline. */
  const numbers = Int32Array.from(reasons, ({ carrier, code, outcome }) => {
    if (outcome !== 'decline') return -1;
    const key = `${carrier} ${code}`;
    const number = byKey.get(key) ?? names.push({ carrier, code }) - 1;
    byKey.set(key, number);
    return number;
  });
  const carriers = Int32Array.from(names, ({ carrier }) => carrier);
  const counts = new Uint32Array(names.length);
  const lastRows = new Int32Array(names.length).fill(-1);
  const width = reasons.length;
  // A row may begin within a word. Bytes behind the last row are 0.
  const view = new DataView(truths.buffer, truths.byteOffset);
  for (let row = 0; row < rows.length; row++) {
    for (let reason = 0; reason < width; reason += 4) {
      let left = view.getInt32(row * width + reason, true) & HOLDS;
      if (width - reason < 4) left &= (1 << (8 * (width - reason))) - 1;
      for (; left !== 0; left &= left - 1) {
        const number = numbers[reason + ((31 - Math.clz32(left & -left)) >> 3)]!;
        if (number < 0 || lastRows[number] === row) continue;
        lastRows[number] = row;
        // A rule of a tier may hold although another tier takes the home.
        if (isDeclined(rows[row]!, carriers[number]!)) counts[number]!++;
      }
    }
  }
  names.forEach(({ carrier, code }, number) => {
    if (counts[number]! > 0) tally.addReason(code, carrier, counts[number]!);
  });
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
