import { type Carrier, type Catalog, type RuleSet, STATUS_CODES } from '@leeward/engine';
import { catalogOf } from '@leeward/engine/compiled';
import { type BookTables, bookTables } from '../tables/book-tables.ts';
import { type RuleEdit, ruleEdits } from './rule-edits.ts';

/** An edit of a carrier, with the indexes of its statuses among those of all edits. */
export interface PlacedEdit extends Omit<RuleEdit, 'older' | 'newer'> {
  /** Index among the carriers that differ. */
  readonly carrier: number;
  /** Indexes of its statuses in both versions; −1 if a version does not have the rule. */
  readonly older: number;
  readonly newer: number;
  readonly hasSameOutcome: boolean;
}

/** The differences between two catalogs on one effective date. */
export interface DiffTables {
  readonly carrierKeys: readonly string[];
  readonly older: Catalog;
  readonly newer: Catalog;
  readonly edits: readonly PlacedEdit[];
  /** Number of edit statuses per row. */
  readonly editCount: number;
  readonly tables: { readonly older: BookTables; readonly newer: BookTables; readonly edits: BookTables } | undefined;
  readonly editCatalog: Catalog;
}

export interface DiffTablesOptions {
  readonly older: Catalog;
  readonly newer: Catalog;
  readonly asOf: Date;
  readonly effectiveDate: string;
  /** Compares rule sets as if they were in force; otherwise those in force on the date. */
  readonly asThoughInForce: boolean;
}

/** Compares the carriers of two catalogs. Carriers with equal rule sets are left out. */
export function diffTables(options: DiffTablesOptions): DiffTables {
  const { older, newer, asOf, effectiveDate } = options;
  const inForce = ({ versions }: Carrier): RuleSet | undefined =>
    versions.find(
      ({ ruleSet }) =>
        options.asThoughInForce ||
        (ruleSet.effectiveFrom <= effectiveDate &&
          (ruleSet.effectiveUntil === undefined || effectiveDate < ruleSet.effectiveUntil)),
    )?.ruleSet;
  const sideOf = ({ carriers }: Catalog): ReadonlyMap<string, RuleSet | undefined> =>
    new Map(carriers.map((carrier) => [carrier.key, inForce(carrier)]));
  const [before, after] = [sideOf(older), sideOf(newer)];
  const carrierKeys = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key)?.sha256 !== after.get(key)?.sha256,
  );
  const edits: PlacedEdit[] = [];
  const alone: RuleSet[] = [];
  carrierKeys.forEach((key, carrier) => {
    for (const edit of ruleEdits(before.get(key), after.get(key))) {
      const [a, b] = [edit.older, edit.newer].map((side) => (side ? alone.push(side.ruleSet) - 1 : -1));
      const hasSameOutcome = edit.older?.outcome === edit.newer?.outcome;
      edits.push({ ...edit, carrier, older: a!, newer: b!, hasSameOutcome });
    }
  });
  const { vocabulary } = newer;
  const catalog = (ruleSets: readonly RuleSet[]) =>
    catalogOf(
      ruleSets.map((ruleSet, place) => ({
        key: `${place}`,
        name: ruleSet.carrierName,
        versions: [
          {
            ruleSet: { ...ruleSet, effectiveFrom: '0000-01-01', effectiveUntil: undefined },
            source: 'catalog' as const,
          },
        ],
      })),
      { vocabulary },
    );
  const ofSide = (side: typeof before) =>
    carrierKeys.map((key) => side.get(key) ?? nothing((before.get(key) ?? after.get(key))!));
  const [a, b, c] = [catalog(ofSide(before)), catalog(ofSide(after)), catalog(alone)];
  const dates = { asOf, effectiveDate, reasons: false };
  return {
    carrierKeys,
    older: a,
    newer: b,
    edits,
    editCount: alone.length,
    editCatalog: c,
    tables:
      carrierKeys.length === 0
        ? undefined
        : { older: bookTables(a, dates), newer: bookTables(b, dates), edits: bookTables(c, dates) },
  };
}

/** A rule set that offers nothing, for a carrier missing from a catalog. */
function nothing(ruleSet: RuleSet): RuleSet {
  return { ...ruleSet, rules: [], programs: [], moratoria: [], sha256: `${ruleSet.sha256} nothing` };
}

const [INELIGIBLE, NEEDS_INFORMATION] = (['ineligible', 'needs_information'] as const).map((status) =>
  STATUS_CODES.indexOf(status),
) as [number, number];

/** Values of `touchOf`. */
const UNTOUCHED = 0;
export const PERHAPS = 1;
export const TOUCHED = 2;

/** Returns whether an edit touches a home, from the status codes of its two sides. */
export function touchOf(edit: PlacedEdit, codes: Uint8Array, from: number): number {
  const before = edit.older < 0 ? 0 : codes[from + edit.older]!;
  const after = edit.newer < 0 ? 0 : codes[from + edit.newer]!;
  if (edit.kind === 'territory' || edit.kind === 'tiers') {
    if (before !== after) return TOUCHED;
    return before === NEEDS_INFORMATION ? PERHAPS : UNTOUCHED;
  }
  const [a, b] = [truthOf(before), truthOf(after)];
  if (a !== b) return TOUCHED;
  if (a === 0) return UNTOUCHED;
  if (!edit.hasSameOutcome) return TOUCHED;
  return a === 1 ? PERHAPS : UNTOUCHED;
}

/** Truth of an edit alone: 0 no, 1 perhaps, 2 yes. */
function truthOf(code: number): 0 | 1 | 2 {
  return code === INELIGIBLE ? 2 : code === NEEDS_INFORMATION ? 1 : 0;
}
