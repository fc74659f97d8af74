import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { fewCarriers } from '../packages/apps/cli/src/testing/few-carriers.ts';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { temporaryFolder } from '../packages/apps/cli/src/testing/temporary-folder.ts';
import { writeBook } from '../packages/extend/books/src/testing/write-books.ts';
import { startLeeward } from './support/leeward-process.ts';

/** Several record batches of Arrow, and more than a block of text. */
const ROWS = 17_000;
const rows = Array.from({ length: ROWS }, (_, index) => ({
  policy_id: `P-${index}`,
  state: index % 501 === 7 ? 'nowhere' : index % 3 === 0 ? 'fl' : 'tx',
  policy_type: index % 7 === 0 ? 'ho5' : 'ho3',
  year_built: 1950 + (index % 70),
  premium: 1000 + index / 4,
  x_note: 'x'.repeat(60),
}));
const folder = temporaryFolder();
const few = fewCarriers();
afterAll(() => {
  few[Symbol.dispose]();
  folder[Symbol.dispose]();
});
const at = (name: string) => join(folder.path, name);
for (const kind of ['csv', 'ndjson', 'parquet', 'arrow'] as const) writeBook(at(`book.${kind}`), kind, rows);

const usual = ['--as-of', '2026-11-20T12:00:00Z', '--keep', 'policy_id,premium', '--reasons'];
const { environment } = few;
async function run(book: string, out: string, more: readonly string[]) {
  const files = ['--out', out, '--rejects', `${out}.rejects`, '--summary', `${out}.json`];
  const ended = await runWords(['book', 'run', book, ...files, ...usual, ...more], {
    folder: folder.path,
    environment,
  });
  expect([ended.code, ended.errors]).toEqual([0, expect.stringContaining('bad rows')]);
  return bytesOf(out);
}
const bytesOf = (out: string) =>
  [out, `${out}.rejects`, `${out}.json`].map((name) =>
    createHash('sha256')
      .update(readFileSync(at(name)))
      .digest('hex'),
  );

const books = ['book.csv', 'book.ndjson', 'book.parquet', 'book.arrow'] as const;
const forms = [[], ['--long']] as const;
/** Numbers of threads and parts. */
const splits = [
  ['1', '7'],
  ['3', '20'],
  ['2', '5'],
] as const;

describe('the bytes of a run', () => {
  it.each(
    ['parquet', 'arrow', 'csv', 'ndjson'].flatMap((format, index) =>
      forms.map((form) => [books[index]!, format, form] as const),
    ),
  )('from %s to %s %j do not depend on its threads and parts', async (book, format, form) => {
    const out = `out.${format}`;
    const once = await run(book, out, [...form, '--threads', '1', '--parts', '1']);
    for (const [threads, parts] of form.length > 0 ? splits.slice(2) : splits.slice(0, 2))
      expect(await run(book, out, [...form, '--threads', threads, '--parts', parts])).toEqual(once);
  });

  it('are the same after the process of a run was killed', async () => {
    const format = 'parquet';
    const whole = await run('book.csv', `whole.${format}`, ['--long', '--threads', '1']);
    const out = `killed.${format}`;
    const files = ['--out', out, '--rejects', `${out}.rejects`, '--summary', `${out}.json`];
    const words = ['--long', '--threads', '2', '--parts', '50'];
    const killed = startLeeward(['book', 'run', 'book.csv', ...files, ...usual, ...words], {
      folder: folder.path,
      environment,
    });
    const results = () => {
      const parts = at(`${out}.parts`);
      return existsSync(parts) ? readdirSync(parts).filter((name) => name.endsWith('.result')).length : 0;
    };
    while (results() < 3) await sleep(2);
    killed.process.kill('SIGKILL');
    await killed.ended;
    expect(results()).toBeLessThan(50);
    expect(await run('book.csv', out, words)).toEqual(whole);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('.') || name.endsWith('.parts'))).toEqual([]);
  });
});

describe('--part i/n', () => {
  it.each([
    ['book.csv', 'csv', ['--long']],
    ['book.parquet', 'ndjson', []],
  ] as const)('of 1 to n from %s, as %s %j, is the output of one run', async (book, format, form) => {
    await run(book, `whole.${format}`, form);
    const slices = ['1/3', '2/3', '3/3'];
    const outputs = [];
    for (const [index, slice] of slices.entries()) {
      await run(book, `slice${index}.${format}`, [...form, '--part', slice]);
      outputs.push(readFileSync(at(`slice${index}.${format}`)));
    }
    expect(Buffer.concat(outputs).equals(readFileSync(at(`whole.${format}`)))).toBe(true);
    const rejects = [...slices.keys()].map((index) => readFileSync(at(`slice${index}.${format}.rejects`)));
    expect(Buffer.concat(rejects).equals(readFileSync(at(`whole.${format}.rejects`)))).toBe(true);
  });

  it('of a book with fewer rows than slices is empty for some', async () => {
    writeFileSync(at('one.csv'), 'state,policy_type\ntx,ho3\n');
    const words = (slice: string) => ['book', 'run', 'one.csv', '--out', 'one.out.csv', '--part', slice];
    const first = await runWords(words('1/2'), { folder: folder.path, environment });
    expect(first).toMatchObject({ code: 0 });
    expect(readFileSync(at('one.out.csv'), 'utf8')).toMatch(/^row,[^\n]*\n$/);
    expect(await runWords(words('2/2'), { folder: folder.path, environment })).toMatchObject({ code: 0 });
    expect(readFileSync(at('one.out.csv'), 'utf8')).toMatch(/^1,[^\n]*\n$/);
    const { errors } = await runWords(words('3/2'), { folder: folder.path, environment });
    expect(errors).toContain('--part is "3/2"; give i/n, such as 3/64');
  });
});

describe('retired commands and options', () => {
  it.each([
    ['book run book.csv --queue redis://localhost', /--queue was retired: .*leeward compile/],
    ['book plan book.csv --out plan --parts 3', /leeward book plan was retired: leeward book run --part i\/n/],
    ['book part --plan plan/plan.json --index 3', /leeward book part was retired: leeward book run --part i\/n/],
    ['book status plan', /leeward book status was retired: the scheduler/],
    ['book merge plan --out x.csv', /leeward book merge was retired: concatenate the outputs/],
    ['worker --books --queue redis://localhost --at-once 2', /leeward worker --books was retired: .*leeward compile/],
  ])('%s names what replaces it', async (words, message) => {
    const { code, errors } = await runWords(words.split(' '), { folder: folder.path, environment });
    expect([code, errors]).toEqual([1, expect.stringMatching(message)]);
    expect(errors).toContain('docs/books-beyond-one-machine.md');
  });
});
