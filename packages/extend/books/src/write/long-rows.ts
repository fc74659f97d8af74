import { STATUS_CODES } from '@leeward/engine';
import type { EvaluatedBatch } from '../batches/book-evaluator.ts';

const NOT_OFFERED = STATUS_CODES.indexOf('not_offered');

/** Receives a line of the long form: row number from 1, index of the carrier, status, and codes of a certain decline. */
export type LongRow = (
  row: number,
  carrier: number,
  status: (typeof STATUS_CODES)[number],
  codes: readonly string[],
) => void;

/** Calls `visit` for each row and each carrier that offers it. Rejected rows are left out. */
export function eachLongRow(
  { firstRow, rows, codes, rejected, reasons }: EvaluatedBatch,
  carriers: number,
  visit: LongRow,
): void {
  for (let row = 0; row < rows; row++) {
    if (rejected.has(row)) continue;
    const why = reasons.get(row);
    for (let carrier = 0; carrier < carriers; carrier++) {
      const code = codes[row * carriers + carrier]!;
      if (code !== NOT_OFFERED) visit(firstRow + row + 1, carrier, STATUS_CODES[code]!, why?.get(carrier) ?? []);
    }
  }
}
