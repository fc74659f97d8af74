import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createCatalog, parseRequest, STATUS_CODES } from '@leeward/engine';
import { parquetMetadata } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { policyStatuses } from '../design/policy-statuses.ts';
import type { PolicySelection } from '../evaluate/evaluator-messages.ts';
import { BATCH_ROWS } from './columns.ts';
import { evaluateBook } from './evaluate-book.ts';

const keys = ['bayou_mutual', 'sawpalm_home', 'brackish_bay'];
const read = (key: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../../fixtures/carriers/${key}/rule-set.json`, import.meta.url), 'utf8'),
  ) as unknown;
const catalog = createCatalog(keys.map((key) => ({ file: read(key) })));
const asOf = '2026-11-20T12:00:00.000Z';

const notes = ['', 'a, b', 'says "no"', '<img src=x>', '=1+1'];
const homes = Array.from({ length: testVolume(900) }, (_, index) => ({
  state: ['fl', 'tx', 'Louisiana'][index % 3]!,
  county: ['broward', 'harris', ''][index % 3]!,
  policy_type: ['ho3', 'HO-5', 'dp3'][index % 3]!,
  year_built: 1950 + (index % 75),
  roof_type: index % 2 === 0 ? 'metal' : '3-tab shingle',
  roof_age: index % 30,
  total_claims: index % 97 === 0 ? 'many' : index % 4,
  dwelling_a: 100_000 + 300 * index,
  x_note: notes[index % 5]!,
}));
const names = Object.keys(homes[0]!);
const csvOf = (delimiter: string, end: string) =>
  [names, ...homes.map((home) => Object.values(home))]
    .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(delimiter) + end)
    .join('');

/** Each home evaluated alone: its line of statuses, or its faults. */
const expected = homes.map((home) => {
  const parsed = parseRequest({ ...home, as_of: asOf }, { now: new Date(asOf) });
  if (!parsed.ok) return { faults: parsed.faults.map(({ message }) => message) };
  const { property } = parsed.request;
  return {
    statuses: [...catalog.statusCodes(property)].map((code) => STATUS_CODES[code]!),
    // Reasons that decline only jointly are not counted.
    reasons: catalog
      .declines(property)
      .flatMap(({ reasons, isJoint }) => (isJoint ? [] : [...new Set(reasons.map(({ code }) => code))])),
  };
});
const plain = Buffer.from(csvOf(',', '\n'));
const forms: readonly (readonly [string, string, Uint8Array<ArrayBuffer>])[] = [
  ['CSV', 'book.csv', plain],
  ['CSV with a mark, semicolons and returns', 'marked.csv', Buffer.from(`\uFEFF${csvOf(';', '\r\n')}`)],
  ['CSV packed', 'book.csv.gz', gzipSync(plain)],
  ['CSV in UTF-16', 'wide.csv', Buffer.from(`\uFEFF${csvOf(',', '\n')}`, 'utf16le')],
  ['Parquet', 'book.parquet', new Uint8Array(parquetWriteBuffer({ columnData: columnsOf(homes), rowGroupSize: 250 }))],
  ['NDJSON', 'book.ndjson', Buffer.from(homes.map((home) => `${JSON.stringify(home)}\n`).join(''))],
];
/** Text columns, because one column type cannot hold numbers and words. */
function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]) {
  return names.map((name) => ({
    name,
    data: rows.map((row) => (row[name] === '' ? null : String(row[name]))),
    type: 'STRING' as const,
    nullable: true,
  }));
}
const fixture = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../../../../fixtures/books/${name}`, import.meta.url)));
const evaluate = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
  evaluateBook(catalog, { file: new File([bytes], name), asOf, effectiveDate: undefined }, () => {});

describe('evaluateBook', () => {
  it.each(forms)('gives the results of its homes one by one when it is %s', async (_, name, bytes) => {
    const kept = await evaluate(bytes, name);
    const lines = expected.map(({ statuses }, index) => [index + 1, ...(statuses ?? keys.map(() => ''))].join(','));
    expect((await kept.statuses().text()).trimEnd().split('\n')).toEqual([['row', ...keys].join(','), ...lines]);
    const { overview } = kept;
    const faulty = expected.flatMap(({ faults }, index) => (faults ? [[index + 1, faults] as const] : []));
    expect(overview.refused.map(({ row, messages }) => [row, messages])).toEqual(faulty);
    expect([overview.rows, overview.rejected]).toEqual([homes.length, faulty.length]);
    overview.carriers.forEach(({ key, counts }, carrier) => {
      expect(key).toBe(keys[carrier]);
      const count = (status: string) => expected.filter(({ statuses }) => statuses?.[carrier] === status).length;
      expect(counts).toEqual(policyStatuses.map(count));
    });
    const reasons = expected.flatMap((each) => each.reasons ?? []);
    for (const [code, count] of overview.reasons)
      expect([code, count]).toEqual([code, reasons.filter((each) => each === code).length]);
    const takes = ({ statuses = [] }: { readonly statuses?: string[] }) =>
      statuses.filter((status) => status === 'eligible' || status === 'referral').length;
    const taken = expected.filter(({ statuses }) => statuses);
    expect(overview.takers).toEqual([0, 1, 2, 3].map((many) => taken.filter((each) => takes(each) === many).length));
    const isOpen = ({ statuses = [] }: { readonly statuses?: string[] }) =>
      takes({ statuses }) === 0 && statuses.includes('needs_information');
    expect(overview.open).toBe(taken.filter(isOpen).length);
    expect(overview.open).toBeGreaterThan(0);
    const rejects = (await kept.rejects().text()).trimEnd().split('\n');
    expect(rejects.map((line) => (JSON.parse(line) as { row: number }).row)).toEqual(faulty.map(([row]) => row));
  });

  it('lists and downloads the policies behind each number, with the kept columns', async () => {
    const columns = {
      map: { fields: { state: { column: 'where' } }, ignore: ['x_note'] },
      keep: [{ name: 'x_note', title: 'Note' }],
    };
    const text = csvOf(',', '\n').replace('"state"', '"where"');
    const question = { file: new File([text], 'book.csv'), asOf, effectiveDate: undefined, columns };
    const book = await evaluateBook(catalog, question, () => {});
    const { overview } = book;
    const read = expected.flatMap(({ statuses, reasons }, index) =>
      statuses ? [{ ...homes[index]!, statuses, reasons, index }] : [],
    );
    const takes = ({ statuses }: (typeof read)[number]) =>
      statuses.filter((status) => status === 'eligible' || status === 'referral').length;
    const expectListed = async (selection: PolicySelection, wanted: readonly (typeof read)[number][]) => {
      const { count, policies, extraTitles } = await book.policies(selection);
      expect([count, extraTitles]).toEqual([wanted.length, ['Note']]);
      expect(policies.map(({ row, line, extras, takes: accepted }) => [row, line, extras, accepted])).toEqual(
        wanted.slice(0, 100).map((each) => [each.index + 1, each.index + 2, [each.x_note], takes(each)]),
      );
      const lines = (await (await book.policyFile(selection)).text()).trimEnd().split('\n');
      expect(lines.length).toBe(wanted.length + 1);
      expect(lines[0]).toBe(['row', 'policy_type', 'place', 'Note', ...keys].join(','));
    };
    const isOpen = (each: (typeof read)[number]) => takes(each) === 0 && each.statuses.includes('needs_information');
    const taken = read.filter((each) => takes(each) > 0);
    await expectListed({ kind: 'placement', placement: 'carrier' }, taken);
    await expectListed({ kind: 'placement', placement: 'possible' }, read.filter(isOpen));
    await expectListed(
      { kind: 'placement', placement: 'none' },
      read.filter((each) => takes(each) === 0 && !isOpen(each)),
    );
    await expectListed(
      { kind: 'takers', from: 2, to: 3 },
      read.filter((each) => takes(each) >= 2),
    );
    expect(overview.reasons.length).toBeGreaterThan(1);
    for (const [code] of overview.reasons)
      await expectListed(
        { kind: 'reason', code },
        read.filter(({ reasons }) => reasons.includes(code)),
      );
    await expectListed(
      { kind: 'placement', placement: 'carrier', county: '48201' },
      taken.filter(({ county }) => county === 'harris'),
    );
    for (const [status, name] of policyStatuses.entries()) {
      for (const [carrier, { key, counts }] of overview.carriers.entries()) {
        const behind = read.filter(({ statuses }) => statuses[carrier] === name);
        expect((await book.policies({ kind: 'status', carrier: key, status })).count).toBe(behind.length);
        expect(counts[status]).toBe(behind.length);
      }
      await expectListed(
        { kind: 'status', state: 'la', status },
        read.filter(({ state, statuses }) => state === 'Louisiana' && statuses.includes(name)),
      );
      await expectListed(
        { kind: 'status', policyType: 'ho5', status },
        read.filter(({ policy_type, statuses }) => policy_type === 'HO-5' && statuses.includes(name)),
      );
    }
    expect(overview.settling.length).toBeGreaterThan(0);
    for (const [, share] of overview.settling) expect(share > 0 && share <= 1).toBe(true);
    // A cell that a spreadsheet would compute stays text.
    const statuses = await book.statuses().text();
    expect(statuses.split('\n')[0]).toBe(['row', 'Note', ...keys].join(','));
    expect(statuses).not.toMatch(/,=1\+1,/);
  });

  it('evaluates every row of a book larger than one batch', async () => {
    const [heading, ...rows] = csvOf(',', '\n').trimEnd().split('\n');
    const times = Math.ceil((BATCH_ROWS + 1) / homes.length);
    const long = [heading, ...Array.from({ length: times }, () => rows).flat()].join('\n');
    const kept = await evaluate(Buffer.from(long), 'long.csv');
    expect(kept.overview.rows).toBe(times * homes.length);
    const lines = Array.from({ length: times }, () => expected.map(({ statuses }) => statuses ?? keys.map(() => '')));
    const all = lines.flat().map((statuses, index) => [index + 1, ...statuses].join(','));
    const shown = (await kept.statuses().text()).trimEnd().split('\n').slice(1);
    expect(shown.filter((line, index) => line !== all[index])).toEqual([]);
    expect(shown.length).toBe(all.length);
  });

  it('names truncated, unclosed and non-object lines, and reads the lines after them', async () => {
    const heading = 'state,policy_type,total_claims,x_note\n';
    const odd = Buffer.concat([
      Buffer.from(heading),
      Buffer.from('fl,ho3,0,caf\xe9\n', 'latin1'),
      Buffer.from('fl,ho3\nfl,ho3,0,"open\n\nfl,ho3,0,"two\nlines"\nfl,ho3,0,last'),
    ]);
    const { overview } = await evaluate(odd, 'odd.csv');
    expect(overview.rows).toBe(5);
    expect(overview.refused.map(({ line, messages: [message] }) => [line, message])).toEqual([
      [3, expect.stringContaining('has 2 cells and the header 4')],
      [4, expect.stringContaining('a quotation mark is not closed')],
    ]);
    const objects = Buffer.from(
      'null\n{"state":"fl"\n\n{"state":"fl","policy_type":"ho3","rof_age":3}\n{"state":"fl","policy_type":"ho3"}\n',
    );
    const ndjson = (await evaluate(objects, 'odd.ndjson')).overview;
    expect([ndjson.rows, ndjson.rejected]).toEqual([4, 3]);
    expect(ndjson.refused.map(({ line }) => line)).toEqual([1, 2, 4]);
    expect(ndjson.refused[2]!.messages.join()).toContain('roof_age');
  });

  it.each(['pyarrow-none.parquet', 'pyarrow-snappy.parquet', 'pyarrow-typed-v2.parquet', 'duckdb.parquet'])(
    'reads %s, written by another program, with an empty column',
    async (name) => {
      const rows = [
        {
          state: 'tx',
          policy_type: 'ho3',
          dwelling_a: 250_000,
          acreage: 1.5,
          effective_date: '2026-12-01',
          total_claims: 0,
        },
        { state: 'fl', policy_type: 'ho3', dwelling_a: 1_250_000, acreage: 0.25 },
        {
          state: 'tx',
          policy_type: 'dp3',
          dwelling_a: 90_000,
          acreage: 80.125,
          effective_date: '2026-07-04',
          total_claims: 2,
        },
      ];
      const plainly = await evaluate(
        Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
        'homes.ndjson',
      );
      const kept = await evaluate(fixture(name), name);
      expect(await kept.statuses().text()).toBe(await plainly.statuses().text());
      expect(kept.overview).toMatchObject({ rows: 3, rejected: plainly.overview.rejected });
    },
  );

  it('refuses Parquet packed by ZSTD, which a page cannot read', async () => {
    await expect(evaluate(fixture('pyarrow-zstd.parquet'), 'pyarrow-zstd.parquet')).rejects.toThrow(
      'column "state" is packed by ZSTD, which is not supported. Evaluate it with leeward book run',
    );
  });

  it('skips unused Parquet columns of any type', async () => {
    const used = { name: 'state', data: ['fl', 'tx'], type: 'STRING' as const };
    const odd = [
      { name: 'x_variant', data: [{ a: 1 }, 'b'], type: 'VARIANT' as const },
      { name: 'x_list', data: [{ a: [1] }, { a: [] }], type: 'JSON' as const },
    ];
    const book = (...columnData: object[]) => new Uint8Array(parquetWriteBuffer({ columnData: columnData as never }));
    const kept = await evaluate(book(used, ...odd), 'odd.parquet');
    expect(await kept.statuses().text()).toBe(await (await evaluate(book(used), 'plain.parquet')).statuses().text());
  });

  it('refuses Parquet that declares more rows than its bytes can hold', async () => {
    const plainly = parquetWriteBuffer({ columnData: [{ name: 'state', data: ['fl'], type: 'STRING' }] });
    const metadata = parquetMetadata(plainly);
    metadata.row_groups[0]!.num_rows = 2n ** 40n;
    const writer = new ByteWriter();
    writer.appendBytes(new Uint8Array(plainly, 0, plainly.byteLength - 8 - metadata.metadata_length));
    writeMetadata(writer, metadata);
    writer.appendBytes(new TextEncoder().encode('PAR1'));
    const file = new Uint8Array(writer.getBuffer());
    await expect(evaluate(file, 'many.parquet')).rejects.toThrow(/column "state", is too large: it has/);
  });

  it.each([
    ['no content', 'empty.csv', '', 'empty.csv is empty.'],
    ['Parquet that is cut off', 'book.csv', 'PAR1....', 'book.csv is not Parquet, or is damaged or truncated'],
    ['Arrow', 'book.arrow', 'ARROW1....', 'leeward book run'],
    ['a misspelt column', 'book.csv', 'state,policy_type,rof_age\nfl,ho3,3\n', 'Did you mean "roof_age"?'],
    ['no states', 'book.csv', 'policy_type\nho3\n', 'no column "state"'],
  ])('refuses a file with %s', async (_, name, text, message) => {
    const question = { file: new File([text], name), asOf, effectiveDate: undefined };
    await expect(evaluateBook(catalog, question, () => {})).rejects.toThrow(message);
  });
});
