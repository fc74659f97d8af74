import type { BookHostCarrier, BookTables } from '../book/book-tables.ts';
import type { StatusTables } from './status-tables.ts';

/** The tables of every policy type, for a book judged at one date. */
export function bookTables(
  carrierCount: number,
  asOfMs: number,
  tables: readonly StatusTables[],
  notJudged: readonly (readonly BookHostCarrier[])[],
): BookTables {
  return {
    carrierCount,
    asOfMs,
    byPolicyType: tables.map(({ groups }, policyType) => ({
      notJudged: notJudged[policyType]!,
      groups: groups.map(({ reader, carriers, reasons, boxes }) => ({
        table: reader.table,
        carriers: Int32Array.from(carriers, (each) => each.carrier),
        // Laid out when first read: by a tally, by a row that is open, or for a thread.
        get reasons() {
          return reasons();
        },
        get boxes() {
          return boxes();
        },
      })),
    })),
  };
}
