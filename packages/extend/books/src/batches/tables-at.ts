import type { BookDates, BookTables } from '../planes/book-tables.ts';
import type { Moment } from './row-moments.ts';

/**
 * The tables of every moment of a book. Moments at which the same rule sets are in force, and the same moratoria, have the very same
 * tables: a book may have a date of its own for each row.
 */
export function createTablesAt(tablesOn: (dates: BookDates) => BookTables, asOf: Date): (at: Moment) => BookTables {
  const eras: Era[] = [];
  const byDate = new Map<string, Era>();
  const eraOf = (date: string): Era => {
    const known = byDate.get(date);
    if (known) return known;
    const tables = tablesOn({ asOf, effectiveDate: date });
    let era = eras.find((each) => areSame(each.tables, tables));
    if (!era) {
      era = { tables, instants: instantsOf(tables), byInstant: new Map() };
      era.byInstant.set(placeOf(asOf.getTime(), era.instants), tables);
      eras.push(era);
    }
    byDate.set(date, era);
    return era;
  };
  return ({ asOfMs, effectiveDate }) => {
    const { tables, instants, byInstant } = eraOf(effectiveDate);
    const place = placeOf(asOfMs, instants);
    const found = byInstant.get(place) ?? { ...tables, asOfMs };
    byInstant.set(place, found);
    return found;
  };
}

interface Era {
  readonly tables: BookTables;
  /** When moratoria begin and end, in order. */
  readonly instants: readonly number[];
  /** By how many of these have come. */
  readonly byInstant: Map<number, BookTables>;
}

function placeOf(asOfMs: number, instants: readonly number[]): number {
  return instants.filter((instant) => instant <= asOfMs).length;
}

function instantsOf({ byPolicyType }: BookTables): readonly number[] {
  const moratoria = byPolicyType.flatMap(({ groups }) => groups.flatMap(({ table }) => table.moratoria));
  return [...new Set(moratoria.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))].sort((a, b) => a - b);
}

/** Whether both read the very same tables. */
function areSame(a: BookTables, b: BookTables): boolean {
  return a.byPolicyType.every(({ groups, notJudged }, type) => {
    const other = b.byPolicyType[type]!;
    return (
      notJudged.length === 0 &&
      other.notJudged.length === 0 &&
      groups.length === other.groups.length &&
      groups.every(({ table }, index) => table === other.groups[index]!.table)
    );
  });
}
