import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneCarrier } from '../testing/one-carrier.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const asOf = ['--as-of', '2026-11-20T12:00:00Z'];
const lines = Array.from(
  { length: 10_000 },
  (_, index) =>
    `${index % 2 === 0 ? 'tx' : 'fl'},${index % 1000 === 7 ? 'ho4' : 'ho3'},${index % 5},${1950 + (index % 70)}`,
);
const csv = `state,policy_type,total_claims,year_built\n${lines.join('\n')}\n`;

describe('a book in parts', () => {
  it('gives the same results for every way to run its parts, and names obstacles', async () => {
    using folder = temporaryFolder({ 'book.csv': csv });
    const at = (name: string) => join(folder.path, name);
    const run = (words: readonly string[], environment = {}) =>
      runWords(['book', ...words], { folder: folder.path, environment: { ...oneCarrier, ...environment } });
    await run(['run', 'book.csv', '--out', 'whole.csv', '--threads', '1', '--parts', '1', ...asOf]);
    const plan = ['plan', 'book.csv', '--out', 'plan', '--out-format', 'csv', '--parts', '3', ...asOf];
    expect(await run(plan)).toMatchObject({ code: 0, errors: '' });
    const text = readFileSync(at('plan/plan.json'), 'utf8');
    // A mebibyte of text is one piece.
    const { parts } = JSON.parse(text) as { parts: unknown[] };
    expect(parts.length).toBe(1);
    await run(plan);
    expect(readFileSync(at('plan/plan.json'), 'utf8')).toBe(text);
    expect((await run(['merge', 'plan'])).errors).toContain('1 of 1 parts are not complete: 0.');
    expect((await run(['part', '--plan', 'plan/plan.json'])).errors).toContain('The part is missing. Give --index');
    expect((await run(['part', '--plan', 'plan/plan.json'], { PARALLEL_SEQ: '1' })).code).toBe(0);
    expect((await run(['status', 'plan'])).output).toContain('1 of 1 parts, 10,000 of 10,000 rows');
    const marker = readdirSync(at('plan')).find((name) => /^part-00000-[0-9a-f]{16}\.json$/.test(name))!;
    const said = readFileSync(at(`plan/${marker}`), 'utf8');
    await Promise.all([
      run(['part', '--plan', 'plan/plan.json', '--index', '0']),
      run(['part', '--plan', 'plan/plan.json', '--index', '0']),
    ]);
    expect(readFileSync(at(`plan/${marker}`), 'utf8')).toBe(said);
    expect((await run(['merge', 'plan', '--out', 'merged.csv'])).code).toBe(0);
    expect(readFileSync(at('merged.csv')).equals(readFileSync(at('whole.csv')))).toBe(true);
    expect(
      readdirSync(at('plan'))
        .filter((name) => !name.startsWith('part-'))
        .sort(),
    ).toEqual(['_SUCCESS', 'plan.json', 'rejects.ndjson', 'summary.json']);

    const output = marker.replace('.json', '.csv');
    writeFileSync(at(`plan/${output}`), readFileSync(at(`plan/${output}`)).subarray(0, 1000));
    expect((await run(['merge', 'plan'])).errors).toContain('was changed since it was written (1000 bytes, ');
    rmSync(at(`plan/${marker}`));
    writeFileSync(at('book.csv'), csv.replace('tx', 'la'));
    expect((await run(['part', '--plan', 'plan/plan.json', '--index', '0'])).errors).toContain(
      'was changed since the plan was made',
    );
    expect((await run(['status', 'plan'])).output).toContain('Part 0 failed: ');
    expect((await run(['part', '--plan', 'plan/plan.json', '--index', '1'])).errors).toContain('There is no part 1');
  });

  it('refuses a plan of another engine, of other carriers, or none', async () => {
    using folder = temporaryFolder({ 'book.csv': 'state,policy_type\ntx,ho3\n', 'none/plan.json': '{}' });
    const at = (name: string) => join(folder.path, name);
    const run = (words: readonly string[]) =>
      runWords(['book', ...words], { folder: folder.path, environment: oneCarrier });
    await run(['plan', 'book.csv', '--out', 'plan', ...asOf]);
    const text = readFileSync(at('plan/plan.json'), 'utf8');
    const part = ['part', '--plan', 'plan/plan.json', '--index', '0'];
    for (const [from, to, told] of [
      [
        /"engineVersion": "[^"]*"/,
        '"engineVersion": "0.0.1-old"',
        /The plan was made with engine 0\.0\.1-old, and this is/,
      ],
      [/"catalogSha256": "[^"]*"/, '"catalogSha256": "other"', /The carriers are not those of the plan/],
    ] as const) {
      writeFileSync(at('plan/plan.json'), text.replace(from, to));
      for (const words of [part, ['merge', 'plan']])
        expect(await run(words)).toMatchObject({ code: 1, errors: expect.stringMatching(told) });
      expect(readdirSync(at('plan')).filter((name) => /\.parquet$|_SUCCESS|[0-9a-f]{16}\.json$/.test(name))).toEqual(
        [],
      );
    }
    expect((await run(['part', '--plan', 'none/plan.json', '--index', '0'])).errors).toContain(
      'is not a plan of this version',
    );
  });
});
