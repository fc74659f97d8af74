import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspace } from './support/running-leeward.ts';

const run = promisify(execFile);

/** Who may import whom: the arrows of AGENTS.md. Everything else is a wall. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  terms: [],
  engine: ['terms', 'places/counties'],
  lines: ['engine'],
  coast: [],
  'coast-builder': ['coast'],
  'coastline-us': ['coast'],
  places: ['rows', 'terms'],
  rows: [],
  database: [],
  quotes: ['terms', 'places/counties', 'database'],
  accounts: ['terms', 'places/counties', 'database'],
  books: ['terms', 'engine', 'rows', 'places/counties'],
  http: ['terms', 'engine', 'lines', 'coast', 'coastline-us', 'places', 'quotes', 'accounts'],
  cli: [
    'terms',
    'engine',
    'lines',
    'coast',
    'coast-builder',
    'coastline-us',
    'places',
    'quotes',
    'accounts',
    'database',
    'rows',
    'books',
    'http',
    'workbench',
  ],
  workbench: ['terms', 'engine', 'coast', 'coastline-us', 'places', 'rows', 'books/judge', 'books/diff', 'http/client'],
};
const packages = Object.keys(mayImport);
const nameOf = (folder: string) => (folder === 'cli' ? 'leeward' : `@leeward/${folder}`);

describe('the walls between packages', () => {
  // A planted file for each import that could be written, linted under the workspace's own rules.
  const planted = join(tmpdir(), `leeward-walls-${process.pid}`);
  const refused = new Set<string>();
  const targets = [...packages, 'places/counties', 'relative'];
  const written = (target: string) => (target === 'relative' ? '../../coast/src/index.ts' : nameOf(target));

  beforeAll(async () => {
    const rules = JSON.parse(readFileSync(join(workspace, 'biome.json'), 'utf8')) as Record<string, unknown>;
    const { vcs: _, ...alone } = rules;
    mkdirSync(planted, { recursive: true });
    writeFileSync(join(planted, 'biome.json'), JSON.stringify(alone));
    for (const folder of packages) {
      mkdirSync(join(planted, 'packages', folder, 'src'), { recursive: true });
      for (const target of targets) {
        const file = join(planted, 'packages', folder, 'src', `${target.replace('/', '-')}.ts`);
        writeFileSync(file, `import '${written(target)}';\n`);
      }
    }
    const words = ['lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none', planted];
    const biome = join(workspace, 'node_modules/.bin/biome');
    const { stdout } = await run(biome, words, { cwd: planted, maxBuffer: 1e8 }).catch(
      (error: { stdout: string }) => error,
    );
    for (const [, folder, file] of stdout.matchAll(/packages\/([\w-]+)\/src\/([\w-]+)\.ts/g))
      refused.add(`${folder} ${file}`);
  });
  afterAll(() => rmSync(planted, { recursive: true, force: true }));

  it.each(packages)('of %s let through what the plan allows, and nothing else', (folder) => {
    const allowed = [folder, ...(mayImport[folder] ?? [])];
    for (const target of targets) {
      const expected = allowed.some((each) => target === each || target.startsWith(`${each}/`));
      expect({ target, refused: refused.has(`${folder} ${target.replace('/', '-')}`) }).toEqual({
        target,
        refused: !expected,
      });
    }
  });
});
