import { type BookTables, intervalOn } from '../tables/book-tables.ts';

/** Creates a function that returns the tables of an effective date. Dates with the same tables share one object. */
export function createTablesOn(tablesOf: (date: string) => BookTables): (date: string) => BookTables {
  const all: BookTables[] = [];
  return (date) => {
    let tables = all.find((each) => intervalOn(each, date) >= 0);
    if (!tables) {
      tables = tablesOf(date);
      all.push(tables);
    }
    return tables;
  };
}
