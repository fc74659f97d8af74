import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { BookFileError, openBookStream } from '@leeward/books';
import { problemSchema } from '@leeward/http';
import { openRows, RowFileError } from '@leeward/rows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJsonText } from '../packages/apps/cli/src/files/json-text.ts';
import { oneCarrier } from '../packages/apps/cli/src/testing/one-carrier.ts';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { temporaryFolder } from '../packages/apps/cli/src/testing/temporary-folder.ts';
import { parseJson } from '../packages/core/http/src/request/json-body.ts';
import { type Demo, startDemo } from '../test/support/demo.ts';
import { smallCoastline } from '../test/support/small-coastline.ts';
import { type Case, holdTo } from './hold-to.ts';
import { openCorpus } from './open-corpus.ts';

const corpus = openCorpus('json-test-suite');

/** A reader accepts a text as JSON, or refuses it with a message. */
type Answer = { readonly isJson: true } | { readonly isJson: false; readonly message: string };
type ReaderName = 'bodies' | 'rows' | 'books' | 'rules';

/** The readers that accept files about which RFC 8259 leaves the choice. The first matching name counts. */
const optionalFiles: readonly (readonly [name: RegExp, readers: readonly ReaderName[]])[] = [
  [/^i_number_|^i_structure_UTF-8_BOM/, ['bodies', 'rows', 'books', 'rules']],
  // Escaped halves of a surrogate pair are JSON. Fields of a home refuse them.
  [/^i_(string|object_key)_.*surrogate(?!_U\+D800)/, ['bodies', 'rows', 'books', 'rules']],
  // Bodies have at most 64 levels.
  [/^i_structure_500_nested_arrays/, ['rows', 'books', 'rules']],
  // Rows may be UTF-16. Lines that are not UTF-8 are read as Windows-1252, which is reported.
  [/^i_string_/, ['rows', 'books']],
];

function casesOf(reader: ReaderName, place: RegExp, read: (bytes: Buffer) => Promise<Answer>): Case[] {
  const folder = join(corpus!.folder, 'test_parsing');
  return readdirSync(folder).map((name) => ({
    id: name,
    async run() {
      const answer = await read(readFileSync(join(folder, name)));
      const readers = optionalFiles.find(([pattern]) => pattern.test(name))?.[1];
      const shouldAccept = name.startsWith('i_') ? readers!.includes(reader) : name.startsWith('y_');
      if (answer.isJson) return shouldAccept ? undefined : 'is accepted';
      if (shouldAccept) return `is refused: ${answer.message}`;
      return place.test(answer.message) ? undefined : `is refused without a place: ${answer.message}`;
    },
  }));
}

const rowsOf = async (bytes: Buffer) => {
  const file = await openRows(Readable.from([bytes]), { name: 'rows', format: 'ndjson' });
  const rows = [];
  for await (const row of file.rows) rows.push(row);
  return rows;
};

describe.skipIf(!corpus)('JSONTestSuite', () => {
  let demo: Demo;
  let files: ReturnType<typeof temporaryFolder>;
  beforeAll(async () => {
    files = temporaryFolder();
    const environment = { ...smallCoastline, LEEWARD_RATE_LIMIT: '0', LEEWARD_LOG_LEVEL: 'silent' };
    demo = await startDemo({ environment });
  });
  afterAll(async () => {
    files[Symbol.dispose]();
    await demo.stop();
  });

  it('holds for bodies of requests to a service', async () => {
    const post = async (bytes: Buffer): Promise<Answer> => {
      const response = await fetch(`${demo.url}/v1/underwrite/home`, {
        method: 'POST',
        headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
        body: bytes as Buffer<ArrayBuffer>,
      });
      const { code, detail } = problemSchema.strict().parse(await response.json());
      expect([400, 422]).toContain(response.status);
      return code === 'malformed_json' ? { isJson: false, message: `${response.status} ${detail}` } : { isJson: true };
    };
    const place = /^400 The body is (empty; send a JSON object\.|.*at line \d+, column \d+)/;
    await holdTo('json-test-suite-bodies', casesOf('bodies', place, post), corpus!);
  });

  it('holds for rows of NDJSON, between other rows too', async () => {
    const first = Buffer.from(`{"first": "${'x'.repeat(2000)}"}\n`);
    const last = Buffer.from('\n{"last": 1}\n');
    const read = async (bytes: Buffer): Promise<Answer> => {
      const between = await rowsOf(Buffer.concat([first, bytes, last]));
      expect([between[0]?.value, between.at(-1)?.value]).toEqual([{ first: 'x'.repeat(2000) }, { last: 1 }]);
      try {
        const fault = (await rowsOf(bytes)).find((row) => row.fault)?.fault;
        return fault === undefined ? { isJson: true } : { isJson: false, message: fault.message };
      } catch (error) {
        if (error instanceof RowFileError) return { isJson: false, message: error.message };
        throw error;
      }
    };
    const place = /^Line \d+ is not JSON: .|^rows is (empty\.|a single JSON list; write one object a line)/;
    await holdTo('json-test-suite-rows', casesOf('rows', place, read), corpus!);
  });

  it('holds for books of NDJSON', async () => {
    const read = async (bytes: Buffer): Promise<Answer> => {
      try {
        const book = await openBookStream(Readable.from([bytes]), 'ndjson', 'book');
        for await (const { unread } of book.batches()) {
          if (unread[0]) return { isJson: false, message: unread[0].message };
        }
        return { isJson: true };
      } catch (error) {
        if (error instanceof BookFileError) return { isJson: false, message: error.message };
        throw error;
      }
    };
    const place = /^Line \d+ is not JSON at column \d+: .|^book is one list in JSON; write an object a line/;
    await holdTo('json-test-suite-books', casesOf('books', place, read), corpus!);
  });

  it('names each row of a book that is not JSON, and answers the others', async () => {
    const folder = join(corpus!.folder, 'test_parsing');
    const home = '{"state": "tx", "county": "harris", "policy_type": "ho3"}';
    const rows = readdirSync(folder)
      .map((name) => ({ name, text: readFileSync(join(folder, name), 'latin1').trim() }))
      .filter(({ name, text }) => !name.startsWith('i_') && /^[ -~]+$/.test(text))
      .flatMap((row) => [row, { name: 'y_home', text: home }]);
    expect(rows.length).toBeGreaterThan(400);
    const words = ['book', 'filter', '--format', 'ndjson', '--as-of', '2026-11-20T12:00:00Z'];
    const input = [home, ...rows.map(({ text }) => text)].join('\n');
    const { code, bytes } = await runWords(words, { environment: oneCarrier, input });
    expect(code).toBe(0);
    const answers = String(bytes)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { statuses?: object; faults?: { code: string }[] });
    const kindOf = ({ statuses, faults }: (typeof answers)[number]) =>
      statuses ? 'y_home' : faults?.some((fault) => fault.code === 'malformed_row') ? 'n' : 'y';
    const expected = rows.map(({ name }) => (name === 'y_home' ? name : name[0]));
    expect(answers.map(kindOf)).toEqual(['y_home', ...expected]);
  });

  it('holds for files of rules', async () => {
    const read = async (bytes: Buffer): Promise<Answer> => {
      writeFileSync(join(files.path, 'rule-set.json'), bytes);
      const words = ['rules', 'check', 'rule-set.json', '--format', 'json'];
      const { code, output } = await runWords(words, { folder: files.path });
      expect(code).toBe(1);
      const { findings } = JSON.parse(output) as {
        findings: { code: string; line: number; column: number; message: string }[];
      };
      expect(findings).not.toEqual([]);
      const fault = findings.find((each) => ['malformed_json', 'duplicate_key'].includes(each.code));
      if (fault === undefined) return { isJson: true };
      return { isJson: false, message: `${fault.line}:${fault.column} ${fault.message}` };
    };
    await holdTo('json-test-suite-rules', casesOf('rules', /^\d+:\d+ This is not (JSON|UTF-8)/, read), corpus!);
  });

  it('has one value in bodies, rows and files of rules', async () => {
    const folder = join(corpus!.folder, 'test_transform');
    const cases = readdirSync(folder).map((name): Case => {
      const bytes = readFileSync(join(folder, name));
      const expected = values[name];
      const check = (reader: string, value: unknown) =>
        Object.is(JSON.stringify(value), JSON.stringify(expected)) ? [] : [`${reader} has ${JSON.stringify(value)}`];
      return {
        id: name,
        async run() {
          const [row] = await rowsOf(bytes);
          const rules = readJsonText(bytes);
          const differences = [
            ...check('a row', row?.value),
            ...check('a file of rules', 'json' in rules ? rules.json.value : rules.faults[0]!.message),
          ];
          try {
            differences.unshift(...check('a body', parseJson(bytes)));
          } catch (error) {
            differences.unshift((error as Error).message);
          }
          return differences.length === 0 ? undefined : differences.join('; ');
        },
      };
    });
    await holdTo('json-test-suite-values', cases, corpus!);
  });
});

/** Numbers are doubles, the last of equal keys counts, and text is not changed. */
const values: Readonly<Record<string, unknown>> = {
  'number_-9223372036854775808.json': [-(2 ** 63)],
  'number_-9223372036854775809.json': [-(2 ** 63)],
  'number_1.0.json': [1],
  'number_1.000000000000000005.json': [1],
  'number_1000000000000000.json': [1e15],
  'number_10000000000000000999.json': [1e19],
  'number_1e-999.json': [0],
  'number_1e6.json': [1e6],
  'number_9223372036854775807.json': [2 ** 63],
  'number_9223372036854775808.json': [2 ** 63],
  'object_key_nfc_nfd.json': { '\u00e9': 'NFC', 'e\u0301': 'NFD' },
  'object_key_nfd_nfc.json': { 'e\u0301': 'NFD', '\u00e9': 'NFC' },
  'object_same_key_different_values.json': { a: 2 },
  'object_same_key_same_value.json': { a: 1 },
  'object_same_key_unclear_values.json': { a: 0 },
  'string_1_escaped_invalid_codepoint.json': ['\ud800'],
  'string_1_invalid_codepoint.json': ['\u00ed\u00a0\u20ac'],
  'string_2_escaped_invalid_codepoints.json': ['\ud800\ud800'],
  'string_2_invalid_codepoints.json': ['\u00ed\u00a0\u20ac'.repeat(2)],
  'string_3_escaped_invalid_codepoints.json': ['\ud800\ud800\ud800'],
  'string_3_invalid_codepoints.json': ['\u00ed\u00a0\u20ac'.repeat(3)],
  'string_with_escaped_NULL.json': ['A\0B'],
};
