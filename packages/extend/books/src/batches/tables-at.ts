import type { BookDates, BookTables } from '../planes/book-tables.ts';
import type { Moment } from './moments.ts';

interface Era {
  readonly tables: BookTables;
  /** Instants at which moratoria begin or end, in order. */
  readonly instants: readonly number[];
  /** Tables by the number of these instants that have passed. */
  readonly byPassed: Map<number, BookTables>;
}

/** Creates a function that returns the tables of a moment. Moments with the same rule sets and moratoria in force share one object. */
export function createTablesAt(tablesOn: (dates: BookDates) => BookTables, asOf: Date): (moment: Moment) => BookTables {
  const eras: Era[] = [];
  const byDate = new Map<string, Era>();
  const eraOf = (date: string): Era => {
    const cached = byDate.get(date);
    if (cached) return cached;
    const tables = tablesOn({ asOf, effectiveDate: date });
    let era = eras.find((each) => isSame(each.tables, tables));
    if (!era) {
      const instants = instantsOf(tables);
      era = { tables, instants, byPassed: new Map([[countPassed(asOf.getTime(), instants), tables]]) };
      eras.push(era);
    }
    byDate.set(date, era);
    return era;
  };
  return ({ asOfMs, effectiveDate }) => {
    const { tables, instants, byPassed } = eraOf(effectiveDate);
    const passed = countPassed(asOfMs, instants);
    const atMoment = byPassed.get(passed) ?? { ...tables, asOfMs };
    byPassed.set(passed, atMoment);
    return atMoment;
  };
}

function countPassed(asOfMs: number, instants: readonly number[]): number {
  return instants.filter((instant) => instant <= asOfMs).length;
}

function instantsOf({ byPolicyType }: BookTables): readonly number[] {
  const moratoria = byPolicyType.flatMap(({ groups }) => groups.flatMap(({ table }) => table.moratoria));
  return [...new Set(moratoria.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))].sort((a, b) => a - b);
}

function isSame(a: BookTables, b: BookTables): boolean {
  return a.byPolicyType.every(({ groups, notEvaluated }, type) => {
    const other = b.byPolicyType[type]!;
    return (
      notEvaluated.length === 0 &&
      other.notEvaluated.length === 0 &&
      groups.length === other.groups.length &&
      groups.every(({ table }, index) => table === other.groups[index]!.table)
    );
  });
}
