import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { CarrierFilesError, readCatalog } from './carrier-files.ts';
import { demoCarriersFolder } from './demo-carriers.ts';

const good = readFileSync(join(demoCarriersFolder(), 'bayou_mutual', 'rule-set.json'), 'utf8');

function faultsOf(folder: string) {
  try {
    readCatalog('.', folder);
  } catch (error) {
    if (error instanceof CarrierFilesError) return error.faults;
    throw error;
  }
  throw new Error('nothing was found wrong');
}

describe('readCatalog', () => {
  it('reads the demo’s carriers, every version of each, and no cases', () => {
    const catalog = readCatalog(demoCarriersFolder(), process.cwd());
    expect(catalog.carriers.length).toBeGreaterThanOrEqual(16);
    expect(catalog.carriers.some((carrier) => carrier.versions.length > 1)).toBe(true);
  });

  it('reads files in folders, in the folder itself, or one file alone', () => {
    using folder = temporaryFolder({
      'bayou/rule-set.json': good,
      'bayou/cases.json': 'no JSON',
      'bayou/notes.json': '{',
    });
    expect(readCatalog('.', folder.path).carriers).toHaveLength(1);
    using flat = temporaryFolder({ 'bayou.json': good, 'cases.json': '[' });
    expect(readCatalog('.', flat.path).carriers).toHaveLength(1);
    expect(readCatalog('bayou.json', flat.path).carriers).toHaveLength(1);
  });

  it('refuses a file that looks like a rule set and would not be served', () => {
    using folder = temporaryFolder({ 'bayou/rule-set.json': good, 'bayou/rule_set_v2.json': good });
    expect(faultsOf(folder.path)).toMatchObject([
      { file: 'bayou/rule_set_v2.json', code: 'file_name', message: expect.stringContaining('rule-set.v2.json') },
    ]);
  });

  it('names all faults of all files at once: file, line, path, value and suggestion', () => {
    using folder = temporaryFolder({
      'a/rule-set.json': good.replace('"bayou_mutual"', '"other"').replaceAll('"total_claims"', '"totl_claims"'),
      'b/rule-set.json': '{ "format": 1, }',
      'c/rule-set.json': good.replace('"Bayou Mutual"', '17'),
      'd/rule-set.json': good,
    });
    const faults = faultsOf(folder.path);
    expect([...new Set(faults.map(({ file }) => file))]).toEqual([
      'a/rule-set.json',
      'b/rule-set.json',
      'c/rule-set.json',
    ]);
    expect(faults[0]).toMatchObject({
      code: 'unknown_fact',
      line: expect.any(Number),
      path: expect.stringMatching(/^\/.*fact$/),
    });
    expect(faults[0]?.message).toContain('totl_claims');
    expect(faults[0]?.message).toContain('Did you mean "total_claims"?');
    expect(faults.find(({ file }) => file === 'c/rule-set.json')).toMatchObject({ path: '/carrier/name', line: 4 });
  });

  it('refuses two files for one carrier and date', () => {
    using folder = temporaryFolder({ 'a/rule-set.json': good, 'b/rule-set.json': good });
    expect(faultsOf(folder.path)).toMatchObject([{ file: 'b/rule-set.json', code: 'same_effective_date' }]);
  });

  it('names a folder without rule sets', () => {
    using folder = temporaryFolder({ 'readme.md': '' });
    expect(() => readCatalog('.', folder.path)).toThrow('has no rule sets');
    expect(() => readCatalog('nowhere', folder.path)).toThrow('There is no folder nowhere');
  });
});
