import type { Catalog } from '@leeward/engine';
import type { Term } from '@leeward/engine/compiled';
import { didYouMean, quoteValue } from '@leeward/terms';
import { manifestOf } from '../compile/manifest-of.ts';
import type { Manifest } from '../format/manifest.ts';
import { buildTables } from '../tables/build-tables.ts';
import type { BuiltInterval, BuiltTables } from '../tables/built-tables.ts';
import type { Lane } from '../tables/lane.ts';
import { numberTest, placeTest, rangeTest, wordTest } from './cell-tests.ts';
import { type DialectWriter, dialectWriters, type SqlDialect } from './dialect.ts';
import { type Columns, HomeColumns } from './home-columns.ts';

/** Options of {@link writeSql}. */
export interface SqlOptions {
  readonly dialect: SqlDialect;
  /** First and last effective date, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** Name of the table of homes, after its schema and a dot if it has one. */
  readonly table: string;
  /** Name of the view. @default 'leeward_statuses' */
  readonly view?: string;
  /** Columns of the table: the name of a field, or `field=column`. Others are ignored. @default every column that the rules read */
  readonly columns?: readonly string[];
  /** Prefix of the columns that the view adds. @default '' */
  readonly prefix?: string;
  /** Effective date of rows without one. @default the date of `as_of` in the state of the home */
  readonly effectiveDate?: string;
  /** Time of rows without `as_of`. @default the time of the query */
  readonly asOf?: Date;
}

/**
 * Writes the rules of a catalog as an SQL view: the columns of a table of homes, a column of statuses for each carrier, and `errors`. A
 * row with a fault has the status `invalid` and never fails the query. Facts that SQL does not have are unknown.
 *
 * A status is exact because the terms of a carrier are closed (see `closeTerms`): what is certain follows from one
 * term. The logic of SQL with three values then gives true for certain, false for impossible and null for anything else.
 *
 * @throws {RangeError} if a column has no field; the message names the nearest one.
 * @example
 * const sql = writeSql(catalog, { dialect: 'duckdb', table: 'homes', from: '2026-01-01', to: '2026-12-31' });
 */
export function writeSql(catalog: Catalog, options: SqlOptions): string {
  const { from, to, table, view = 'leeward_statuses', prefix = '', effectiveDate, asOf } = options;
  const dialect = dialectWriters[options.dialect];
  const built = buildTables(catalog, { from, to, reasons: false });
  const manifest = manifestOf(catalog, built, { from, to });
  const columns = columnsOf(options.columns, manifest);
  const keys = catalog.carriers.map(({ key }) => key);
  checkNames(
    [...keys, 'errors'].map((key) => prefix + key),
    [...columns.values()],
  );
  const lanes = built.intervals.flatMap(({ types }) => types.flatMap((type) => type.lanes));
  const states = [...new Set(lanes.flatMap(({ space }) => space.states))];
  const { vocabulary, inputs } = built;
  const asOfMs = asOf?.getTime();
  const home = new HomeColumns({ vocabulary, manifest, inputs, states, dialect, columns, effectiveDate, asOfMs });
  const rules = new RuleColumns(built, home, dialect);
  const statuses = keys.map((key, carrier) => `${rules.statusOf(carrier)} AS ${dialect.identifier(prefix + key)}`);

  const levels: readonly (readonly [name: string, columns: Columns, join?: string])[] = [
    ['lw_read', home.read],
    ['lw_places', home.places, home.countyJoin()],
    ['lw_values', home.values],
    ['lw_ranges', home.ranges],
    ['lw_computed', home.computed],
    ['lw_tests', rules.tests],
    ['lw_outcomes', rules.outcomes],
  ];
  let last = table.split('.').map(dialect.identifier).join('.');
  const subqueries = levels.flatMap(([name, own, join = '']) => {
    if (own.size === 0) return [];
    const list = Array.from(own, ([column, expression]) => `${expression} AS ${column}`);
    const row = name === 'lw_read' ? dialect.wholeRow : 'p.*';
    const alias = name === 'lw_read' ? 'b' : 'p';
    const query = `${name} AS (\nSELECT ${[row, ...list].join(',\n  ')}\nFROM ${last} ${alias}${join}${dialect.fence}\n)`;
    last = name;
    return [query];
  });
  const counties = home.countyJoin() === '' ? [] : [`lw_counties AS ${home.countyRows()}`];
  const added = levels.flatMap(([, own]) => [...own.keys()]);
  const result = [dialect.callerColumns(added), ...statuses, `lw_errors AS ${dialect.identifier(`${prefix}errors`)}`];
  return [
    ...headOf(options.dialect, built, manifest, home),
    dialect.createView(view.split('.').map(dialect.identifier).join('.')),
    `WITH ${[...counties, ...subqueries].join(',\n')}`,
    `SELECT ${result.join(',\n  ')}\nFROM ${last} p;\n`,
  ].join('\n');
}

/** The columns that hold tests and outcomes of carriers. */
class RuleColumns {
  readonly tests: Columns = new Map();
  readonly outcomes: Columns = new Map();
  readonly #built: BuiltTables;
  readonly #home: HomeColumns;
  readonly #dialect: DialectWriter;
  readonly #names = new Map<string, string>();

  constructor(built: BuiltTables, home: HomeColumns, dialect: DialectWriter) {
    this.#built = built;
    this.#home = home;
    this.#dialect = dialect;
  }

  /** The status of a carrier as text. */
  statusOf(carrier: number): string {
    const offered = this.#cases(carrier, ({ space }) =>
      this.#dialect.isIn('lw_state', space.states.map(this.#dialect.text)),
    );
    if (offered === undefined) return `CASE WHEN lw_errors IS NULL THEN 'not_offered' ELSE 'invalid' END`;
    this.outcomes.set(`lw_declines_${carrier}`, this.#cases(carrier, (lane) => this.#anyOf(lane.declining, lane))!);
    this.outcomes.set(`lw_refers_${carrier}`, this.#cases(carrier, (lane) => this.#anyOf(lane.referring, lane))!);
    const referral = `CASE lw_refers_${carrier} WHEN TRUE THEN 'referral' WHEN FALSE THEN 'eligible' ELSE 'needs_information' END`;
    const status = `CASE lw_declines_${carrier} WHEN TRUE THEN 'ineligible' WHEN FALSE THEN ${referral} ELSE 'needs_information' END`;
    return `CASE WHEN lw_errors IS NOT NULL THEN 'invalid' WHEN lw_county = -1 THEN 'not_offered' WHEN ${offered} THEN ${status} ELSE 'not_offered' END`;
  }

  /** An expression of a carrier by effective date and policy type; undefined if the carrier offers nothing. */
  #cases(carrier: number, write: (lane: Lane) => string): string | undefined {
    const { intervals, vocabulary } = this.#built;
    const { text, isIn, date } = this.#dialect;
    const ofInterval = ({ types }: BuiltInterval): string => {
      const typesOf = new Map<string, string[]>();
      types.forEach(({ lanes }, type) => {
        const lane = lanes.find(({ target }) => target === carrier);
        if (!lane) return;
        const expression = write(lane);
        typesOf.set(expression, [...(typesOf.get(expression) ?? []), text(vocabulary.policyTypes[type]!)]);
      });
      const cases = Array.from(
        typesOf,
        ([expression, some]) => `WHEN ${isIn('lw_policy_type', some)} THEN ${expression}`,
      );
      return cases.length === 0 ? '' : `CASE ${cases.join('\n    ')} END`;
    };
    const parts: { expression: string; until: string }[] = [];
    for (const interval of intervals) {
      const expression = ofInterval(interval);
      if (parts.at(-1)?.expression === expression) parts.at(-1)!.until = interval.until;
      else parts.push({ expression, until: interval.until });
    }
    if (parts.every(({ expression }) => expression === '')) return undefined;
    if (parts.length === 1) return parts[0]!.expression;
    const cases = parts.map(
      ({ expression, until }) => `WHEN lw_date < ${date(until)} THEN ${expression || this.#dialect.unknown}`,
    );
    return `CASE ${cases.join('\n    ')} END`;
  }

  #anyOf(terms: readonly Term[], lane: Lane): string {
    const tests = terms.map(
      (term) => term.map(({ axis, cells }) => this.#nameOf(this.#test(axis, cells, lane))).join(' AND ') || 'TRUE',
    );
    return [...new Set(tests)].join(' OR ') || 'FALSE';
  }

  #test(axis: number, cells: Term[number]['cells'], { space }: Lane): string {
    const { inputs, spellings } = this.#home;
    if (axis === 0) {
      const { samples, namedCounties } = space.place;
      const places = samples.map(({ state, county }) => ({
        state,
        county: namedCounties.has(county) ? Number(county) : undefined,
      }));
      return placeTest(cells, places, spellings.ambiguous, this.#dialect);
    }
    const { input, bounds } = space.axes[axis]!;
    const column = inputs[input];
    if (!column) return this.#dialect.unknown;
    const { min, max } = column;
    if (!bounds) return wordTest(min, cells, this.#built.inputs[input]!.words!, this.#dialect);
    return min === max ? numberTest(min, cells, bounds) : rangeTest(min, max, cells, bounds, this.#dialect);
  }

  /** The column of a test, so that it is evaluated once a row; short ones are written again. */
  #nameOf(test: string): string {
    if (!this.#dialect.sharesTests || test === this.#dialect.unknown) return test;
    const name = this.#names.get(test) ?? `lw_t${this.#names.size + 1}`;
    if (!this.#names.has(test)) this.tests.set(name, test);
    this.#names.set(test, name);
    return name;
  }
}

/** Columns by field. */
function columnsOf(entries: readonly string[] | undefined, manifest: Manifest): ReadonlyMap<string, string> {
  const ofInputs = manifest.inputs.flatMap(({ kind, column, columns, set }) => {
    if (kind === 'computed' || kind === 'host' || kind === 'as_of') return [];
    return [columns?.[0]?.name ?? set ?? column];
  });
  const usual = ['state', 'policy_type', 'county', ...ofInputs, ...manifest.given_together.flat()];
  const readable = new Set([
    ...usual,
    'effective_date',
    'as_of',
    ...manifest.fields,
    ...manifest.inputs.flatMap(({ name, columns = [] }) => [
      ...columns.map((each) => each.name),
      name,
      `${name}_min`,
      `${name}_max`,
    ]),
  ]);
  const result = new Map<string, string>();
  for (const entry of entries ?? new Set(usual)) {
    const at = entry.indexOf('=');
    const [field, column] = at < 0 ? [entry, entry] : [entry.slice(0, at), entry.slice(at + 1)];
    const absent = [...readable].filter((name) => !(entries ?? []).includes(name));
    if (!readable.has(field)) {
      const hint = didYouMean(field, absent);
      // Other columns of the caller pass through, unless they resemble a field.
      if (at < 0 && hint === '') continue;
      throw new RangeError(
        `columns has ${quoteValue(field)}, which is not a field.${hint} Write field=column if a column has another name, or leave it out.`,
      );
    }
    if (result.has(field)) throw new RangeError(`columns has ${field} twice; give it once.`);
    result.set(field, column);
  }
  for (const name of ['state', 'policy_type'])
    if (!result.has(name))
      throw new RangeError(
        `columns has no ${name}, which every rule needs; add ${name}, or ${name}=column for a column with another name.`,
      );
  return result;
}

/** The result of a view cannot have two columns of one name. */
function checkNames(added: readonly string[], own: readonly string[]): void {
  const names = new Set(own.map((name) => name.toLowerCase()));
  for (const name of added) {
    if (names.has(name.toLowerCase()))
      throw new RangeError(
        `The view would have two columns named ${quoteValue(name)}; give a prefix for the columns of carriers.`,
      );
    names.add(name.toLowerCase());
  }
}

function headOf(
  dialect: SqlDialect,
  { inputs, notCompiled }: BuiltTables,
  { from, to, made_by }: Manifest,
  home: HomeColumns,
): string[] {
  const unknown = inputs.filter(({ source }, number) => source.kind !== 'host' && home.inputs[number] === undefined);
  const lines = [
    `Underwriting rules for ${dialect}, effective dates ${from} to ${to}, written by ${made_by}.`,
    'Statuses: eligible, referral, needs_information, ineligible, not_offered; invalid if the column of errors is not null.',
    ...(unknown.length === 0
      ? []
      : ['Unknown in every row, so a carrier whose rules depend on it answers needs_information:']),
    ...unknown.map(({ name, source }) =>
      source.kind === 'field' ? `- ${name}` : `- ${name} (give it as two columns, with _min and _max)`,
    ),
    ...new Set(notCompiled.map(({ why }) => why)),
  ];
  return lines.map((line) => `-- ${line.replaceAll(/[^\x20-\x7e]+/g, ' ')}`);
}
