import { type BuiltInterval, type BuiltTables, buildTables, type TableInput } from '@leeward/artifact';
import type { Catalog } from '@leeward/engine';
import { versionOn } from '@leeward/engine/compiled';

/** Dates for which tables evaluate the rows of a book. */
export interface BookDates {
  /** Decision time of columns without moments. Governs moratoria. */
  readonly asOf: Date;
  /** First effective date, `YYYY-MM-DD`, and the date of columns without moments. Governs ages and versions of rule sets. */
  readonly effectiveDate: string;
  /** Last effective date of rows. @default `effectiveDate` */
  readonly until?: string;
  /** Adds tables of reasons, for tallies. @default true */
  readonly reasons?: boolean;
}

/** The tables of a catalog for some effective dates. Plain data for worker threads. */
export interface BookTables {
  readonly carrierCount: number;
  /** Decision time of columns without moments. */
  readonly asOfMs: number;
  /** Effective date of columns without moments, `YYYY-MM-DD`. */
  readonly effectiveDate: string;
  /** The table image of `buildTables`. */
  readonly image: Uint8Array;
  readonly inputs: readonly TableInput[];
  readonly intervals: readonly BookInterval[];
  readonly hasReasons: boolean;
}

/** Effective dates with the same tables. */
export interface BookInterval {
  readonly from: string;
  /** The date after the last. */
  readonly until: string;
  readonly effectiveYear: number;
  /** By index in the vocabulary's policy types. */
  readonly types: readonly BookType[];
}

/** Carriers are indexes in the catalog. */
export interface BookType {
  readonly reasons: readonly {
    readonly carrier: number;
    readonly kind: string;
    readonly code: string;
    readonly outcome: string;
  }[];
  /** Carriers whose rules need the host, or whose tiers combine in too many ways. */
  readonly notEvaluated: readonly number[];
  /** Carriers whose rules combine in too many ways: their tables may leave a status open that several rules together settle. */
  readonly openJointly: readonly number[];
}

type CachedTables = Omit<BookTables, 'asOfMs' | 'effectiveDate'>;
const MS_A_DAY = 86_400_000;
/** Maximum number of tables that a catalog keeps. */
const MAX_KEPT = 8;
const byCatalog = new WeakMap<Catalog, CachedTables[]>();

/**
 * The tables of a catalog's carriers for one or more effective dates, and for the dates around them in the same year with the same rule
 * sets. The catalog keeps the last ones. Carriers whose rules need the host, or
 * whose tiers combine in too many ways, are `not_judged` in a book.
 *
 * @throws {Error} if the catalog evaluates all rules with json-rules-engine.
 *
 * @example
 * const tables = bookTables(catalog, { asOf: new Date(), effectiveDate: '2026-11-20' });
 */
export function bookTables(
  catalog: Catalog,
  { asOf, effectiveDate, until = effectiveDate, reasons = true }: BookDates,
): BookTables {
  const cached = byCatalog.get(catalog) ?? [];
  byCatalog.set(catalog, cached);
  const dates = { asOf, effectiveDate, until, reasons };
  let tables = cached.find((each) => hasTablesFor(each, dates));
  if (!tables) {
    const built = buildTables(catalog, { ...wholeInterval(catalog, effectiveDate, until), reasons });
    tables = {
      carrierCount: catalog.carriers.length,
      image: built.image,
      inputs: built.inputs,
      intervals: built.intervals.map((interval) => bookInterval(interval, catalog, built)),
      hasReasons: reasons,
    };
    if (cached.push(tables) > MAX_KEPT) cached.shift();
  }
  return { ...tables, asOfMs: asOf.getTime(), effectiveDate };
}

/** Extends dates to all dates with the same tables: within their years, between changes of rule sets. */
function wholeInterval(
  { carriers }: Catalog,
  first: string,
  last: string,
): { readonly from: string; readonly to: string } {
  const borders = [`${first.slice(0, 4)}-01-01`, `${Number(last.slice(0, 4)) + 1}-01-01`];
  for (const { ruleSet } of carriers.flatMap(({ versions }) => versions))
    borders.push(ruleSet.effectiveFrom, ruleSet.effectiveUntil ?? ruleSet.effectiveFrom);
  borders.sort();
  const from = borders.findLast((date) => date <= first) ?? first;
  const end = borders.find((date) => date > last)!;
  return { from, to: new Date(Date.parse(`${end}T00:00:00Z`) - MS_A_DAY).toISOString().slice(0, 10) };
}

function bookInterval(
  { from, until, effectiveYear, types }: BuiltInterval,
  catalog: Catalog,
  built: BuiltTables,
): BookInterval {
  const versions = catalog.carriers.map((carrier) => versionOn(carrier, from)?.ruleSet.version);
  return {
    from,
    until,
    effectiveYear,
    types: types.map(({ reasons }, type): BookType => {
      const policyType = catalog.vocabulary.policyTypes[type]!;
      const open = built.notCompiled.filter((each) => each.policyType === policyType);
      const carriersWith = (isJoint: boolean) =>
        catalog.carriers.flatMap(({ key }, carrier) =>
          open.some(
            (each) =>
              each.carrier === key && each.version === versions[carrier] && (each.settledJointly === false) === isJoint,
          )
            ? [carrier]
            : [],
        );
      return {
        reasons: reasons.map(({ carrier, kind, code, outcome }) => ({ carrier, kind, code, outcome })),
        notEvaluated: carriersWith(false),
        openJointly: carriersWith(true),
      };
    }),
  };
}

/**
 * True if tables are for all dates of a query, with reasons if it needs them.
 *
 * @example
 * const tables = hasTablesFor(sent, dates) ? sent : bookTables(catalog, dates);
 */
export function hasTablesFor(
  { intervals, hasReasons }: Pick<BookTables, 'intervals' | 'hasReasons'>,
  { effectiveDate, until = effectiveDate, reasons = true }: BookDates,
): boolean {
  const isWithin = intervals[0]!.from <= effectiveDate && until < intervals.at(-1)!.until;
  return isWithin && (hasReasons || !reasons);
}

/** The interval of a row that is not evaluated. */
export const NO_INTERVAL = 65_535;

/** Index of the interval that has a date; −1 if none has. */
export function intervalOn({ intervals }: BookTables, date: string): number {
  return intervals.findIndex(({ from, until }) => from <= date && date < until);
}
