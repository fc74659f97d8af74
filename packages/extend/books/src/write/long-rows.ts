import { STATUS_CODES } from '@leeward/engine';
import type { RowTerms } from '../batches/row-terms.ts';
import type { WrittenBatch } from './status-writer.ts';

/** The columns of the long form. Terms are JSON text. */
export const longColumns = ['row', 'carrier_key', 'status', 'codes', 'terms', 'possible_terms'] as const;

const NOT_OFFERED = STATUS_CODES.indexOf('not_offered');

/** Receives a line of the long form: row number from 1, its index in the batch, index of the carrier, status, codes of a certain decline, and terms. */
export type LongRow = (
  row: number,
  index: number,
  carrier: number,
  status: (typeof STATUS_CODES)[number],
  codes: readonly string[],
  terms: RowTerms | undefined,
) => void;

/** Calls `visit` for each row and each carrier that offers it. Rejected rows are left out. */
export function eachLongRow(
  { firstRow, rows, codes, rejected, reasons, terms }: WrittenBatch,
  carriers: number,
  visit: LongRow,
): void {
  for (let row = 0; row < rows; row++) {
    if (rejected.has(row)) continue;
    const why = reasons.get(row);
    const termsOfRow = terms.get(row);
    for (let carrier = 0; carrier < carriers; carrier++) {
      const code = codes[row * carriers + carrier]!;
      if (code === NOT_OFFERED) continue;
      visit(firstRow + row + 1, row, carrier, STATUS_CODES[code]!, why?.get(carrier) ?? [], termsOfRow?.get(carrier));
    }
  }
}

/** Terms as JSON text: empty without any. */
export function writeTermsText(terms: RowTerms['terms'] | undefined): string {
  return terms === undefined || Object.keys(terms).length === 0 ? '' : JSON.stringify(terms);
}
