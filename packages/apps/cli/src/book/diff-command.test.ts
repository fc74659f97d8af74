import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const asOf = ['--as-of', '2026-11-20T12:00:00Z'];
const head = 'state,county,policy_type,roof_type,roof_age,distance_to_coast_miles,price';
const lines = [14, 15, 16, 20, 21].map((age) => `tx,harris,ho3,3-tab shingle,${age},3,"1,00${age % 10}.50"`);
const book = `${[head, ...lines, 'tx,harris,ho3,3-tab shingle,old,3,7', 'tx,travis,ho3,3-tab shingle,18,,'].join('\n')}\n`;

/** Three invented carriers, and the same with one higher limit. */
function folderOfTwo() {
  const folder = temporaryFolder({ 'book.csv': book });
  for (const name of ['old', 'new'])
    for (const key of ['bayou_mutual', 'blackland_prairie', 'tallgrass_mutual'])
      cpSync(join(demoCarriersFolder(), key), join(folder.path, name, key), { recursive: true });
  const path = join(folder.path, 'new/bayou_mutual/rule-set.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"value": 15 }', '"value": 20 }'));
  return folder;
}
const words = ['book', 'diff', 'book.csv', '--old', 'old', '--new', 'new', '--premium', 'price', ...asOf];

interface Report {
  readonly by_county: Readonly<Record<string, unknown>>;
}

describe('book diff', () => {
  it('reports the policies that move, the edit behind each and the premium affected', async () => {
    using folder = folderOfTwo();
    const at = (name: string) => readFileSync(join(folder.path, name), 'utf8');
    const files = ['--out', 'moves.ndjson', '--summary', 'diff.json', '--page', 'diff.html'];
    const { code, output, errors } = await runWords([...words, ...files], { folder: folder.path });
    expect([code, output]).toEqual([0, expect.stringContaining('3 of 6 policies are answered differently')]);
    expect(errors).toContain('1 bad rows are in book.csv.rejects.ndjson');
    const report = JSON.parse(at('diff.json')) as Report;
    expect(report).toMatchObject({
      changed_carriers: ['bayou_mutual'],
      rows: 7,
      rejected: 1,
      moved: { policies: 3, answers: 3, premium: 2007 },
      without_premium: 1,
      by_carrier: { bayou_mutual: { answers: 3, premium: 2007 } },
      by_reason: { roof_age: { answers: 3 } },
      by_rule: [{ carrier_key: 'bayou_mutual', rule_id: 'tx-roof-3-tab', code: 'roof_age', answers: 3 }],
      by_state: { tx: { answers: 3 } },
      by_policy_type: { ho3: { answers: 3 } },
      by_distance_band: { '2 to 5 mi': { answers: 2, premium: 2007 }, unknown: { answers: 1 } },
    });
    expect(report.by_county).toEqual({
      'Harris County, TX': { answers: 2, premium: 2007 },
      'Travis County, TX': { answers: 1, premium: 0 },
    });
    const moves = at('moves.ndjson').trimEnd().split('\n');
    expect(moves.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        row: 3,
        line: 4,
        carrier_key: 'bayou_mutual',
        before: 'ineligible',
        rule_ids: ['tx-roof-3-tab'],
        premium: 1006.5,
      },
      { row: 4, premium: 1000.5 },
      { row: 7 },
    ]);
    const page = at('diff.html');
    expect(page).not.toMatch(/<script|https?:|<link/);
    expect(page).toContain('ineligible → needs information');
    const listed = readdirSync(folder.path).sort();
    expect(listed).toEqual([
      'book.csv',
      'book.csv.rejects.ndjson',
      'diff.html',
      'diff.json',
      'moves.ndjson',
      'new',
      'old',
    ]);
    await runWords([...words, '--out', 'moves.csv'], { folder: folder.path });
    expect(at('moves.csv').split('\n')[1]).toMatch(
      /^3,bayou_mutual,ho3,tx,"Harris County, TX",ineligible,\w+,roof_age,tx-roof-3-tab,1006\.5$/,
    );
  });

  it('names what it cannot compare', async () => {
    using folder = folderOfTwo();
    const run = (...more: string[]) => runWords([...words, ...more], { folder: folder.path });
    expect((await run('--old', 'gone')).errors).toContain('There is no folder gone');
    expect((await run('--premium', 'prize')).errors).toContain('has no column "prize" of premiums');
    expect((await run('--out', 'moves.xlsx')).errors).toContain('ends in .csv or .ndjson');
    expect((await run('--new', 'old')).output).toBe('No carrier’s rules differ.\n');
    writeFileSync(join(folder.path, 'book.csv'), `${head}\nzz,,ho3,,,,\n`);
    expect(await run()).toMatchObject({ code: 1, errors: expect.stringContaining('No row of the book was compared.') });
    expect(readdirSync(folder.path).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
