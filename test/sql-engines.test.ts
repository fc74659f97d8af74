import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTables, type SqlDialect, type SqlOptions, sqlDialects, writeSql } from '@leeward/artifact';
import { findPostgres } from '@leeward/database/testing';
import { type Catalog, createCatalog, parseRequest } from '@leeward/engine';
import { readComputed, sourceOfProperty } from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { afterAll, describe, expect, it } from 'vitest';
import { hasPythonModules, python } from './support/engines.ts';
import { createRandom, pick, wholeNumber } from './support/random.ts';
import { testVolume } from './support/test-volume.ts';

/** A home as a request; a column of the table by its kind and cells. */
type Home = Readonly<Record<string, unknown>>;
type Cells = Record<string, readonly [kind: string, cells: readonly unknown[]]>;
interface Result {
  readonly statuses: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
}

const folder = mkdtempSync(join(tmpdir(), 'leeward-sql-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const range = { from: '2026-05-01', to: '2027-02-28' };
const asOf = new Date('2026-06-20T15:00:00Z');
const fixtures = readdirSync('fixtures/carriers').map((name) => ({
  file: JSON.parse(readFileSync(`fixtures/carriers/${name}/rule-set.json`, 'utf8')) as unknown,
}));

/** Kinds of facts that the fixtures do not test: sets, flags, fallbacks, arithmetic, dates, ZIP codes, moratoria. */
const unusual = {
  file: {
    format: 1,
    carrier: { key: 'unusual', name: 'O\'Neil "Home" -- */ Mutual' },
    line: 'home',
    version: '1',
    effective: { from: '2026-01-01', until: null },
    moratoria: [
      {
        id: 'storm',
        from: '2026-06-01T00:00:00Z',
        until: '2026-07-01T00:00:00Z',
        message: 'A storm.',
        counties: { tx: { include: ['harris', 'galveston'] } },
      },
    ],
    rules: [
      {
        id: 'a',
        outcome: 'decline',
        code: 'x_a',
        message: 'a',
        when: { all: [{ fact: 'dogs', operator: 'contains', value: 'akita' }] },
      },
      {
        id: 'b',
        outcome: 'refer',
        code: 'x_b',
        message: 'b',
        when: { all: [{ fact: 'bankruptcy', operator: 'equal', value: true }] },
      },
      {
        id: 'c',
        outcome: 'refer',
        code: 'x_c',
        message: 'c',
        when: { all: [{ fact: 'transaction', operator: 'equal', value: 'renewal' }] },
      },
      {
        id: 'd',
        outcome: 'decline',
        code: 'x_d',
        message: 'd',
        when: { all: [{ fact: 'zipcode', operator: 'in', value: ['77550-77554', '90210'] }] },
      },
      {
        id: 'e',
        outcome: 'refer',
        code: 'x_e',
        message: 'e',
        when: { all: [{ fact: 'distance_to_ocean_miles', operator: 'lessThan', value: 2.5 }] },
      },
      {
        id: 'f',
        outcome: 'refer',
        code: 'x_f',
        message: 'f',
        when: { all: [{ fact: 'wiring_updated_year', operator: 'lessThan', value: 1990 }] },
      },
    ],
    programs: [{ id: 'all', policy_types: ['ho3', 'dp3'], states: ['tx', 'md', 'va', 'fl'], rules: [] }],
  },
};

const words: Readonly<Record<string, readonly string[]>> = {
  roof_type: ['architectural shingle', '3-tab shingle', 'METAL', ' Tile ', 'wood-shake', 'thatch'],
  ownership: ['personal', 'Trust', 'LLC', 'estate', "o'wner"],
  usage: ['primary', 'Secondary', 'rental', 'vacant', ''],
  primary_plumbing: ['copper', 'pex', 'poly-butylene', 'lead', 'galvanized'],
  primary_wiring: ['copper', 'cloth', 'Knob And Tube', 'aluminum single'],
  structure_type: ['single family', 'townhouse', 'Mobile_Home', 'log cabin'],
  foundation_type: ['closed', 'open', 'shut'],
  transaction: ['new', 'renewal', 'used'],
};
/** The last is the number of an ordinary home. */
const numbers: Readonly<Record<string, readonly [min: number, max: number, usual: number]>> = {
  dwelling_a: [50_000, 2_000_000, 350_000],
  year_built: [1930, 2027, 2010],
  total_claims: [0, 5, 0],
  water_heater_age: [0, 30, 5],
  hvac_age: [0, 30, 5],
  roof_age: [0, 40, 5],
  lapse_in_coverage: [0, 90, 0],
  no_prior: [0, 400, 0],
  acreage: [0, 25, 1],
  protection_class: [1, 10, 3],
  square_feet: [500, 6000, 2000],
  wiring_updated_year: [1930, 2027, 2015],
};

function randomHome(random: () => number): Home {
  const home: Record<string, unknown> = {};
  const ordinary = pick(random, [0, 0.8, 0.95]);
  const unknown = pick(random, [0, 0.1, 0.3]);
  const state = pick(random, ['tx', 'fl', 'md', 'va', 'la', 'ny', 'al', 'pr']);
  home['state'] =
    random() < 0.02 ? pick(random, ['Texass', '', 'zz']) : pick(random, [state, state.toUpperCase(), ` ${state}. `]);
  home['policy_type'] =
    random() < 0.02 ? 'ho99' : pick(random, ['ho3', 'HO-3', 'ho 0005', 'dp3', 'wind only', 'x-wind', 'dp1', 'ho8']);
  const county = pick(random, countiesOf(state));
  const given = [
    county.name,
    county.label,
    county.fips,
    county.name.toUpperCase(),
    'Baltimore',
    'Fairfax',
    'Atlantis',
    `${county.label}, ${state}`,
    `${county.name}, ohio`,
    `${county.name} Co.`,
    `County of ${county.name}`,
    `${county.name}co`.replaceAll(' ', ''),
    `countyof${county.name}`.replaceAll(' ', ''),
    county.label.replace('St.', 'Saint'),
  ];
  if (random() < 0.85) home['county'] = random() < 0.7 ? county.name : pick(random, given);
  for (const [name, [min, max, usual]] of Object.entries(numbers)) {
    if (random() < unknown) continue;
    const value = random() < ordinary ? usual : wholeNumber(random, min, max);
    home[name] = random() < 0.005 ? pick(random, [-1, 0.5, 1e12]) : value;
  }
  if (random() < 0.1) home['year_built'] = wholeNumber(random, 0, 99);
  if (random() < 0.1) home['roof_age'] = wholeNumber(random, 1990, 2027);
  for (const [name, list] of Object.entries(words)) {
    if (random() < unknown) continue;
    const valid = list.slice(0, -1);
    home[name] = random() < ordinary ? list[0] : random() < 0.01 ? list.at(-1)! : pick(random, valid);
  }
  if (random() < 0.95 && (home['roof_age'] === undefined) !== (home['roof_type'] === undefined)) {
    delete home['roof_age'];
    delete home['roof_type'];
  }
  if (random() < 0.7) home['distance_to_coast_miles'] = pick(random, [0, 0.5, 1, 2.5, 5, 10, random() * 60]);
  if (random() < 0.6) home['distance_to_ocean_feet'] = pick(random, [13_200, 13_199.999, random() * 100_000]);
  if (random() < 0.6) home['dogs'] = pick(random, [[], ['akita'], ['Akita', 'pit bull'], ['chow']]);
  if (random() < 0.6) home['bankruptcy'] = random() < 0.5;
  if (random() < 0.6) home['zipcode'] = pick(random, ['77551', '90210-1234', '02139', '902101']);
  if (random() < 0.8)
    home['effective_date'] = pick(random, [
      '2026-05-01',
      '2026-06-30',
      '2026-07-01',
      '2026-12-31',
      '2027-01-01',
      '2027-02-28',
      '2027-03-01',
    ]);
  if (random() < 0.5)
    home['as_of'] = pick(random, [
      '2026-05-31T23:59:59.999Z',
      '2026-06-01T00:00:00Z',
      '2026-06-30T23:59:59Z',
      '2026-07-01T00:00:00Z',
    ]);
  return home;
}

const kinds: Readonly<Record<string, string>> = {
  bankruptcy: 'flag',
  dogs: 'texts',
  effective_date: 'date',
  as_of: 'instant',
};

function cellsOf(homes: readonly Home[]): Cells {
  const names = new Set(homes.flatMap((home) => Object.keys(home)));
  return Object.fromEntries(
    Array.from(names, (name) => {
      const isNumber = Object.hasOwn(numbers, name) || name.startsWith('distance');
      const kind = kinds[name] ?? (isNumber ? 'number' : 'text');
      return [name, [kind, homes.map((home) => home[name] ?? null)]];
    }),
  );
}

/** Facts of lists as columns, which SQL cannot compute. Each entry of `options` maps a fact to a column with a short name. */
function rangesOf(
  catalog: Catalog,
  homes: readonly Home[],
): { readonly cells: Cells; readonly options: readonly string[] } {
  const cells: Cells = {};
  const options: string[] = [];
  for (const { name, source } of buildTables(catalog, { ...range, reasons: false }).inputs) {
    if (source.kind !== 'computed' || source.program !== undefined || source.computed.kind === 'moment') continue;
    const ends = homes.map((home) => {
      const parsed = parseRequest(home, { now: asOf });
      return parsed.ok ? readComputed(source.computed, sourceOfProperty(parsed.request.property)) : undefined;
    });
    for (const side of ['min', 'max'] as const) {
      const column = `fact_${options.length}`;
      cells[column] = ['number', ends.map((end) => end?.[side] ?? null)];
      options.push(`${name}_${side}=${column}`);
    }
  }
  return { cells, options };
}

/** The status codes of HTTP by carrier, one character a home; `x` for a request with faults, or a date outside the tables. */
function expectedOf(catalog: Catalog, homes: readonly Home[]): Record<string, string> {
  const codes = homes.map((home) => {
    const parsed = parseRequest(home, { now: asOf });
    if (!parsed.ok || parsed.request.property.policyType === undefined) return undefined;
    const { effectiveDate } = parsed.request;
    if (effectiveDate < range.from || effectiveDate > range.to) return undefined;
    return catalog.statusCodes(parsed.request.property).slice();
  });
  return Object.fromEntries(
    catalog.carriers.map(({ key }, carrier) => [key, codes.map((own) => (own ? String(own[carrier]) : 'x')).join('')]),
  );
}

/** ClickHouse has no missing arrays, so that sets with missing values are text there. */
function setsAsText(cells: Cells): Cells {
  const entries = Object.entries(cells).map(([name, [kind, values]]) => {
    if (kind !== 'texts') return [name, [kind, values]] as const;
    return [
      name,
      ['text', values.map((value) => (value === null ? null : `${(value as string[]).join('; ')};`))],
    ] as const;
  });
  return Object.fromEntries(entries);
}

async function run(dialect: SqlDialect, sql: string, columns: Cells): Promise<Result> {
  const [sqlFile, homesFile] = [join(folder, `${dialect}.sql`), join(folder, `${dialect}.json`)];
  writeFileSync(sqlFile, sql);
  writeFileSync(homesFile, JSON.stringify({ columns: dialect === 'clickhouse' ? setsAsText(columns) : columns }));
  const server = dialect === 'postgresql' ? await findPostgres() : undefined;
  if (server && 'unreachable' in server) throw new Error(server.unreachable);
  const done = spawnSync(python, ['test/support/run_sql.py', dialect, sqlFile, homesFile, server?.url ?? ''], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (done.status !== 0) throw new Error(done.stderr.slice(-3000));
  return JSON.parse(done.stdout) as Result;
}

function differences(expected: Readonly<Record<string, string>>, { statuses, errors }: Result, homes: readonly Home[]) {
  const found: string[] = [];
  for (const [key, codes] of Object.entries(expected))
    for (let row = 0; row < codes.length; row++)
      if (codes[row] !== statuses[key]![row])
        found.push(
          JSON.stringify({
            key,
            expected: codes[row],
            actual: statuses[key]![row],
            error: errors[row],
            home: homes[row],
          }),
        );
  return found;
}

const server = await findPostgres();
const engines = (['duckdb', 'clickhouse', 'postgresql'] as const).filter(
  (engine) => engine !== 'postgresql' || !('unreachable' in server) || process.env['LEEWARD_REQUIRE_SERVICES'] === '1',
);

describe.skipIf(!hasPythonModules('duckdb', 'chdb', 'psycopg', 'sqlglot', 'pyarrow'))('rules as SQL', () => {
  const catalog = createCatalog([...fixtures, unusual]);
  const random = createRandom(46);
  const homes = Array.from({ length: testVolume(2000) }, () => randomHome(random));
  const given = cellsOf(homes);
  const facts = rangesOf(catalog, homes);
  const columns = { ...given, ...facts.cells };
  const expected = expectedOf(catalog, homes);
  const options = (dialect: SqlDialect): SqlOptions => ({
    dialect,
    ...range,
    table: 'homes',
    asOf,
    // In one engine, facts of lists are given; in the others, the number of claims bounds them.
    columns: [...Object.keys(given), ...(dialect === 'postgresql' ? facts.options : [])],
  });

  it('tests every status', () => {
    const seen = new Set(Object.values(expected).flatMap((codes) => [...codes]));
    expect([...seen].sort()).toEqual(['0', '1', '2', '3', '4', 'x']);
  });

  it.each(engines)('answers like HTTP in %s', async (engine) => {
    const result = await run(engine, writeSql(catalog, options(engine)), columns);
    expect(differences(expected, result, homes).slice(0, 5)).toEqual([]);
  });

  it.each(sqlDialects)('is read as %s', (dialect) => {
    const file = join(folder, `parsed-${dialect}.sql`);
    writeFileSync(file, writeSql(createCatalog([unusual]), { dialect, ...range, table: 'homes' }));
    const name = dialect === 'postgresql' ? 'postgres' : dialect;
    const done = spawnSync(python, ['test/support/run_sql.py', 'parse', name, file], { encoding: 'utf8' });
    expect(done.stderr).toBe('');
  });

  it.each(engines)('reads dates of one form only in %s', async (engine) => {
    const dates = ['2026-06-15', '12/01/2026', '2026-02-31', '2026-07', 'soon', ''];
    const cells: Cells = {
      state: ['text', dates.map(() => 'ny')],
      policy_type: ['text', dates.map(() => 'ho3')],
      effective_date: ['text', dates],
    };
    const sql = writeSql(createCatalog([unusual]), {
      dialect: engine,
      ...range,
      table: 'homes',
      asOf,
      columns: Object.keys(cells),
    });
    const { statuses } = await run(engine, sql, cells);
    expect(statuses['unusual']).toBe('0xxxx0');
  });

  it.each(engines)('reads text, and any name of a column, in %s', async (engine) => {
    const given = [
      { state: 'tx', policy_type: 'ho3', built: ' 1990 ', heater: 'five', zip: '77550' },
      { state: "tx'; DROP TABLE homes; --", policy_type: 'ho3', built: '1990', heater: null, zip: null },
      { state: 'TEXAS', policy_type: 'ho3', built: '1990', heater: '', zip: 'NaN' },
      { state: 'tx', policy_type: null, built: '1e999', heater: 'inf', zip: '\u0000'.slice(1) },
    ];
    const text = (name: keyof (typeof given)[0]) => ['text', given.map((row) => row[name])] as const;
    const odd = 'Year "built" \\ ` %s';
    const cells: Cells = {
      state: text('state'),
      policy_type: text('policy_type'),
      [odd]: text('built'),
      Heater: text('heater'),
      zipcode: text('zip'),
    };
    const sql = writeSql(createCatalog([...fixtures, unusual]), {
      dialect: engine,
      ...range,
      table: 'homes',
      effectiveDate: '2026-06-15',
      asOf,
      columns: ['state', 'policy_type', `year_built=${odd}`, 'water_heater_age=Heater', 'zipcode', 'policy_id'],
    });
    const { statuses, errors } = await run(engine, sql, cells);
    expect(statuses['unusual']).toMatch(/^xx[^x]x$/);
    expect(errors['0']).toContain('water_heater_age is five; give a whole number from 0 to 100 years');
    expect(errors['1']).toContain('is not a state');
    expect(errors['3']).toContain('policy_type is required');
    expect(errors['3']).toContain('year_built is 1e999');
  });
});

describe('columns of rules as SQL', () => {
  const catalog = createCatalog([unusual]);
  const write = (columns: readonly string[], more: Partial<SqlOptions> = {}) =>
    writeSql(catalog, { dialect: 'duckdb', ...range, table: 'homes', columns, ...more });

  it('names the nearest field of a column', () => {
    expect(() => write(['state', 'policy_type', 'zip_codes'])).toThrow(
      'columns has "zip_codes", which is not a field. Did you mean "zipcode"?',
    );
    expect(() => write(['state', 'policy_type', 'roof=x'])).toThrow('columns has "roof", which is not a field.');
    expect(() => write(['policy_type'])).toThrow('columns has no state, which every rule needs');
    expect(() => write(['state', 'policy_type', 'bankruptcy=Unusual'])).toThrow(
      'two columns named "unusual"; give a prefix',
    );
  });

  it('lists what is unknown in every row', () => {
    expect(write(['state', 'policy_type'])).toContain('-- - zipcode\n');
  });

  it('quotes names and texts of users', () => {
    expect(write(['state', 'policy_type'], { table: 'a"b.c', view: 'v"w' })).toContain('FROM "a""b"."c" b');
  });
});
