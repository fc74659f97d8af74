import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openArtifact } from '@leeward/artifact';
import { describe, expect, it } from 'vitest';
import { ruleSetFile } from '../../../../../test/support/engine/rule-set-file.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { refuseOpenParts } from './compile-command.ts';

const files = { 'pine/rule-set.json': JSON.stringify(ruleSetFile()) };
const dates = ['--from', '2026-02-01', '--to', '2027-01-31'];

describe('leeward compile', () => {
  it('writes an artifact, reports what is in it, and checks it', async () => {
    using folder = temporaryFolder(files);
    const words = ['compile', '--carriers', '.', ...dates, '--out', 'out/home.leeward'];
    const { code, output, errors } = await runWords(words, { folder: folder.path });
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(
      /^out\/home\.leeward: [\d,]+ bytes \(kernel \d+ kB, manifest \d+ kB, tables \d+ kB, vectors \d+ kB\)$/m,
    );
    expect(output).toContain('1 carrier, 7 policy types of the line home');
    expect(output).toContain(
      '2 intervals of effective dates: 2026-02-01 to before 2027-01-01, 2027-01-01 to before 2027-02-01',
    );
    expect(output).toMatch(/[\d,]+ homes and [\d,]+ spellings are answered as by the engine/);
    expect(output).toContain('everything is compiled');
    const checked = await runWords(['compile', '--check', 'out/home.leeward'], { folder: folder.path });
    expect(checked.output).toMatch(
      /^out\/home\.leeward: [\d,]+ homes .*; dates from 2026-02-01 to 2027-01-31, made by leeward /,
    );
    expect(readdirSync(join(folder.path, 'out'))).toEqual(['home.leeward']);
  });

  it('adds the coast, and names its sources with their licences', async () => {
    using folder = temporaryFolder(files);
    const words = ['compile', '--carriers', '.', ...dates, '--out', 'home.leeward', '--coast'];
    const { output } = await runWords(words, { folder: folder.path });
    expect(output).toMatch(/^ {2}coast 3,?\d{3} kB: © OpenStreetMap contributors, ODbL-1\.0.*; GSHHG .*LGPL/m);
    const artifact = await openArtifact(readFileSync(join(folder.path, 'home.leeward')));
    expect(artifact.distanceToCoast(25.79, -80.13)?.meters).toBeGreaterThan(0);
  });

  it('prints JSON', async () => {
    using folder = temporaryFolder(files);
    const words = ['compile', '--carriers', '.', ...dates, '--out', 'home.leeward', '--json'];
    const summary = JSON.parse((await runWords(words, { folder: folder.path })).output) as Record<string, unknown>;
    expect(summary).toMatchObject({
      from: '2026-02-01',
      to: '2027-01-31',
      carriers: [{ key: 'pine_ridge' }],
      not_compiled: [],
    });
  });

  it('requires dates and a file', async () => {
    const { code, errors } = await runWords(['compile', '--from', '2026-01-01']);
    expect([code, errors]).toEqual([2, expect.stringContaining('--to, --out are required, or --check FILE.')]);
  });

  it.each([
    ['2026-13-01', '2026-12-31', 'from is "2026-13-01"'],
    ['2026-12-31', '2026-01-01', 'give an earlier date'],
  ])('refuses the dates %s to %s', async (from, to, message) => {
    using folder = temporaryFolder(files);
    const words = ['compile', '--carriers', '.', '--from', from, '--to', to, '--out', 'home.leeward'];
    const { code, errors } = await runWords(words, { folder: folder.path });
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(join(folder.path, 'home.leeward'))).toBe(false);
  });

  it('keeps the existing file if the rule sets have faults', async () => {
    using folder = temporaryFolder({ 'pine/rule-set.json': '{', 'home.leeward': 'before' });
    const words = ['compile', '--carriers', '.', ...dates, '--out', 'home.leeward'];
    expect((await runWords(words, { folder: folder.path })).code).not.toBe(0);
    expect(readFileSync(join(folder.path, 'home.leeward'), 'utf8')).toBe('before');
  });

  it('refuses open parts with --strict, and lists them', () => {
    const part = {
      carrier: 'needy',
      version: '1',
      policyType: 'ho3',
      fact: 'x',
      why: 'A rule uses x.',
    };
    expect(() => refuseOpenParts([part])).toThrow('Not compiled:\n\n  needy 1, ho3 (x): A rule uses x.\n');
    expect(() => refuseOpenParts([])).not.toThrow();
  });

  it('refuses files that are not artifacts, or altered, by name', async () => {
    using folder = temporaryFolder({ ...files, 'notes.txt': 'hello' });
    const check = (file: string) => runWords(['compile', '--check', file], { folder: folder.path });
    expect((await check('notes.txt')).errors).toContain('This is not an artifact');
    expect((await check('missing.leeward')).errors).toContain('There is no file or folder missing.leeward');
    await runWords(['compile', '--carriers', '.', ...dates, '--out', 'home.leeward'], { folder: folder.path });
    const bytes = readFileSync(join(folder.path, 'home.leeward'));
    bytes[bytes.length - 100]! ^= 1;
    writeFileSync(join(folder.path, 'home.leeward'), bytes);
    const { code, errors } = await check('home.leeward');
    expect([code, errors]).toEqual([1, expect.stringContaining('The artifact was altered after it was made')]);
  });
});
