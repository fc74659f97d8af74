import { type BookDates, type BookTables, intervalOn } from '../tables/book-tables.ts';

/** Options of `createTablesOn`. */
interface TablesOnOptions {
  readonly asOf: Date;
  /** The dates of rows without a date. */
  readonly usualDates: readonly string[];
  readonly reasons: boolean;
}

/**
 * Creates a function that returns the tables of an effective date. Tables of rows without a date are for these dates alone; others are for
 * a whole year, because books have many dates.
 */
export function createTablesOn(
  tablesOf: (dates: BookDates) => BookTables,
  { asOf, usualDates, reasons }: TablesOnOptions,
): (date: string) => BookTables {
  const [first, last] = [[...usualDates].sort()[0]!, [...usualDates].sort().at(-1)!];
  const all: BookTables[] = [];
  return (date) => {
    let tables = all.find((each) => intervalOn(each, date) >= 0);
    if (!tables) {
      const year = date.slice(0, 4);
      const isUsual = first <= date && date <= last;
      const [effectiveDate, until] = isUsual ? [first, last] : [`${year}-01-01`, `${year}-12-31`];
      tables = tablesOf({ asOf, effectiveDate, until, reasons });
      all.push(tables);
    }
    return tables;
  };
}
