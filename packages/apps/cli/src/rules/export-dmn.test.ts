import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const carriers = new URL('../../../../../fixtures/carriers/', import.meta.url);
const run = (folder: string, ...words: string[]) => runWords(['rules', ...words], { folder });

it('exports a rule set as DMN decision tables and lists the parts that are not in them', async () => {
  using folder = temporaryFolder();
  cpSync(new URL('bayou_mutual', carriers), join(folder.path, 'bayou'), { recursive: true });
  const { output, code } = await run(folder.path, 'export', 'bayou/rule-set.json', '--format', 'dmn', '--out', 'b.dmn');
  expect(code).toBe(0);
  const xml = readFileSync(join(folder.path, 'b.dmn'), 'utf8');
  expect(xml).toContain('xmlns="https://www.omg.org/spec/DMN/20211108/MODEL/"');
  expect(output).toMatch(/^Wrote b\.dmn: \d+ rows\.\nNot in the tables: the effective dates\.\n/);
  expect(output).toContain('Not in the tables: the moratoria gulf-storm-2026.');
});

it('rejects another extension and an existing file', async () => {
  using folder = temporaryFolder();
  cpSync(new URL('bayou_mutual', carriers), join(folder.path, 'bayou'), { recursive: true });
  const other = await run(folder.path, 'export', 'bayou/rule-set.json', '--format', 'dmn', '--out', 'b.xml');
  expect([other.code, other.errors]).toEqual([2, expect.stringContaining('give a name that ends in .dmn')]);
  const existing = await run(
    folder.path,
    'export',
    'bayou/rule-set.json',
    '--format',
    'dmn',
    '--out',
    'bayou/cases.dmn',
  );
  expect(existing.code).toBe(0);
  const again = await run(folder.path, 'export', 'bayou/rule-set.json', '--format', 'dmn', '--out', 'bayou/cases.dmn');
  expect([again.code, again.errors]).toEqual([2, expect.stringContaining('exists already')]);
  expect(existsSync(join(folder.path, 'b.xml'))).toBe(false);
});
