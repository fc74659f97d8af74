import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';

const corpus = fileURLToPath(new URL('../../../../extend/authoring/conformance/rule-format-1.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'leeward-corpus-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...words: string[]) => runWords(['rules', 'conformance', ...words], { folder });

describe('leeward rules conformance', () => {
  it('holds the engine to the published corpus', async () => {
    const { code, output } = await run(corpus);
    expect(code).toBe(0);
    expect(output).toMatch(/^([\d,]+) of \1 cases hold\.\n$/);
  });

  it('names the case and the actual answer, and exits 1', async () => {
    const { cases, ...rest } = JSON.parse(readFileSync(corpus, 'utf8'));
    const wrong = { ...cases[0], expect: { status: 'referral' } };
    writeFileSync(join(folder, 'wrong.json'), JSON.stringify({ ...rest, cases: [wrong] }));
    const { code, output } = await run('wrong.json');
    expect(code).toBe(1);
    expect(output).toContain('0 of 1 cases hold.');
    expect(output).toContain(`${cases[0].id} (${cases[0].about})`);
    expect(output).toContain('status: expected "referral", received "ineligible"');
    const json = JSON.parse((await run('wrong.json', '--format', 'json')).output);
    expect(json).toMatchObject({ cases: 1, held: 0, divergences: [{ case_id: cases[0].id, part: 'status' }, {}] });
  });

  it('names a file that is not a corpus', async () => {
    writeFileSync(join(folder, 'other.json'), '{ "rule_format": 2 }');
    const { code, errors } = await run('other.json');
    expect([code, errors]).toEqual([2, expect.stringContaining('not a corpus of the rule format. /rule_format')]);
    writeFileSync(join(folder, 'torn.json'), '{ "rule_format": 1,');
    expect((await run('torn.json')).errors).toContain('torn.json:1');
    expect((await run('absent.json')).errors).toContain('There is no file absent.json');
  });
});
