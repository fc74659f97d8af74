import { once } from 'node:events';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** A table that every reader of rows takes: a home, an address and a rule in each row. */
const columns = ['number', 'street', 'city', 'state', 'zipcode', 'lat', 'lon', 'note'];
const row = (number: number, note: string) => [
  number,
  'Ocean Dr',
  'Miami Beach',
  'fl',
  '33139',
  `25.78${number}`,
  `-80.13${number}`,
  note,
];
const policyColumns = ['state', 'county', 'policy_type', 'x_note'];
const policy = (_: number, note: string) => ['fl', 'broward', 'ho3', note];
const ruleColumns = ['id', 'outcome', 'roof_age', 'message'];
const rule = (number: number, note: string) => [`r${number}`, 'decline', `> ${number}`, note];

const kinds = { homes: [columns, row], policies: [policyColumns, policy], rules: [ruleColumns, rule] } as const;
type Kind = keyof typeof kinds;

interface Written {
  readonly line: number;
  readonly code: string;
}

const table = (kind: Kind): readonly (readonly (string | number)[])[] => {
  const [head, of] = kinds[kind];
  return [head, ...Array.from({ length: 6 }, (_, index) => of(index + 2, `Note ${index + 2}`))];
};
const text = (kind: Kind, delimiter = ',') =>
  table(kind)
    .map((cells) => `${cells.join(delimiter)}\n`)
    .join('');
/** The text with one line in place of another; the first is 1. */
const withLine = (file: string, line: number, change: (text: string) => string) =>
  file
    .split('\n')
    .map((each, index) => (index + 1 === line ? change(each) : each))
    .join('\n');

const megabytes = testVolume(3);

/** Five real-world files with the expected result of every reader. */
const files: readonly {
  readonly name: string;
  readonly write: (path: string, kind: Kind) => Promise<void> | void;
  readonly faults: readonly Written[];
  readonly told?: RegExp;
}[] = [
  {
    name: 'a quotation mark that is not closed',
    write: (path, kind) =>
      writeFileSync(
        path,
        withLine(text(kind), 4, (line) => `"${line}`),
      ),
    faults: [{ line: 4, code: 'malformed_row' }],
  },
  {
    name: 'semicolons, and a row with one too many',
    write: (path, kind) =>
      writeFileSync(
        path,
        withLine(text(kind, ';'), 5, (line) => `${line};x`),
      ),
    faults: [{ line: 5, code: 'malformed_row' }],
    told: /semicolons/,
  },
  {
    name: 'UTF-16, and a row cut short',
    write: (path, kind) =>
      writeFileSync(path, Buffer.from(`\uFEFF${withLine(text(kind), 3, (line) => line.slice(0, 4))}`, 'utf16le')),
    faults: [{ line: 3, code: 'malformed_row' }],
    told: /UTF-16/,
  },
  {
    name: 'Windows-1252, with tabs, and text behind a quotation mark',
    write: (path, kind) => {
      const file = withLine(text(kind, '\t'), 6, (line) => `"a"b${line}`);
      writeFileSync(
        path,
        Buffer.from(
          withLine(file, 2, (line) => `${line} caf\u00e9`),
          'latin1',
        ),
      );
    },
    faults: [{ line: 6, code: 'malformed_row' }],
    told: /Line 2 of .* Windows-1252/,
  },
  {
    name: `a line of ${megabytes} MB`,
    async write(path, kind) {
      const lines = text(kind).split('\n');
      const stream = createWriteStream(path);
      stream.write(`${lines.slice(0, 3).join('\n')}\n"`);
      const piece = 'x'.repeat(1 << 20);
      for (let index = 0; index < megabytes; index += 1) if (!stream.write(piece)) await once(stream, 'drain');
      stream.end(`\n${lines.slice(4).join('\n')}`);
      await once(stream, 'finish');
    },
    faults: [{ line: 4, code: 'record_too_long' }],
  },
];

/** Faults and number of accepted rows of each reader. */
const users: Readonly<
  Record<string, (folder: string) => Promise<{ faults: Written[]; taken: number; errors: string }>>
> = {
  async 'book run'(folder) {
    const { output, errors } = await runWords(['book', 'run', 'policies.csv', '--json', '--carriers', 'carriers'], {
      folder,
    });
    const rejects = readFileSync(join(folder, 'policies.csv.rejects.ndjson'), 'utf8').trimEnd().split('\n');
    const faults = rejects.map((line) => {
      const reject = JSON.parse(line) as { line: number; faults: { code: string }[] };
      return { line: reject.line, code: reject.faults[0]!.code };
    });
    const { rows, rejected } = JSON.parse(output) as { rows: number; rejected: number };
    return { faults, taken: rows - rejected, errors };
  },
  async 'coast batch'(folder) {
    const words = ['coast', 'batch', 'homes.csv', '--output', 'out.ndjson', '--index', 'shore.index'];
    const { errors } = await runWords(words, { folder });
    const lines = readFileSync(join(folder, 'out.ndjson'), 'utf8').trimEnd().split('\n');
    const answers = lines.map((line) => JSON.parse(line) as { line: number; problem?: { code: string } });
    const faults = answers.flatMap(({ line, problem }) => (problem ? [{ line, code: problem.code }] : []));
    return { faults, taken: answers.length - faults.length, errors };
  },
  async 'places import'(folder) {
    const { output } = await runWords(['places', 'import', 'homes.csv', '--json'], { folder });
    const report = JSON.parse(output) as {
      houses: number;
      examples: { row: number; code: string }[];
      recognized: string[];
    };
    const faults = report.examples.map(({ row, code }) => ({ line: row, code }));
    return { faults, taken: report.houses, errors: report.recognized.join('\n') };
  },
  async 'rules import'(folder) {
    const { code, output, errors } = await runWords(['rules', 'import', 'rules.csv', '--format', 'json'], { folder });
    expect(code).toBe(1);
    const { findings, taken } = JSON.parse(output) as { findings: (Written & { severity: string })[]; taken: number };
    const faults = findings.filter(({ severity }) => severity === 'fault');
    return { faults: faults.map(({ line, code: each }) => ({ line, code: each })), taken, errors };
  },
};

describe.each(files)('$name', ({ write, faults, told }) => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeAll(async () => {
    const carrier = readFileSync(
      new URL('../../../../../fixtures/carriers/osprey_sound/rule-set.json', import.meta.url),
      'utf8',
    );
    const shore = {
      type: 'LineString',
      coordinates: [
        [-80.13, 25.5],
        [-80.12, 26],
      ],
    };
    const files = { 'carriers/osprey_sound/rule-set.json': carrier, 'shore.geojson': JSON.stringify(shore) };
    folder = temporaryFolder(files);
    const build = ['coast', 'build', 'shore.geojson', '--out', 'shore.index', '--accuracy', '100'];
    expect(await runWords(build, { folder: folder.path })).toMatchObject({ code: 0 });
    for (const kind of ['homes', 'policies', 'rules'] as const) await write(join(folder.path, `${kind}.csv`), kind);
    return () => folder[Symbol.dispose]();
  });

  it.each(Object.entries(users))('is read by %s, its bad row named and no other lost', async (_, read) => {
    const found = await read(folder.path);
    expect(found.faults).toEqual(faults);
    expect(found.taken).toBe(6 - faults.length);
    if (told) expect(found.errors).toMatch(told);
  });
});
