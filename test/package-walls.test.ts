import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { sourceFile } from '../scripts/architecture/import-graph.ts';
import { allowedImports, readAllFiles, wallFaults } from '../scripts/architecture/walls.ts';
import { packageFolders, packageGroups } from '../scripts/package-folders.ts';
import { workspace } from './support/running-leeward.ts';

const folders = packageFolders(workspace);
const specifierOf = (target: string) => (target === 'cli' ? 'leeward' : `@leeward/${target}`);
const groupOf = (name: string) => packageGroups.indexOf(folders.find((folder) => folder.name === name)!.group);
const targets = [...folders.map(({ name }) => name), 'places/counties', 'http/client'];

it('lists every package in the table of allowed imports', () => {
  expect(Object.keys(allowedImports).sort()).toEqual(folders.map(({ name }) => name));
});

it('allows no import from a higher group', () => {
  for (const [name, allowed] of Object.entries(allowedImports))
    for (const target of allowed)
      expect([name, target, groupOf(target.split('/')[0]!) <= groupOf(name)]).toEqual([name, target, true]);
});

it('keeps sources and tests free of forbidden imports', () => {
  expect(wallFaults(readAllFiles(workspace), folders)).toEqual([]);
});

it.each(folders.map(({ name }) => name))('refuses each planted import of %s that the table does not list', (name) => {
  const allowed = [name, ...(allowedImports[name] ?? [])];
  for (const target of targets) {
    const faults = wallFaults([sourceFile(name, 'planted.ts', `import '${specifierOf(target)}';`)], folders);
    const isAllowed = allowed.some((each) => target === each || target.startsWith(`${each}/`));
    expect({ target, faults: faults.length }).toEqual({ target, faults: isAllowed ? 0 : 1 });
  }
});

it('refuses a planted import by a path into another package', async () => {
  const planted = join(tmpdir(), `leeward-walls-${process.pid}`);
  try {
    const { vcs: _, ...rules } = JSON.parse(readFileSync(join(workspace, 'biome.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    for (const { path } of folders) {
      mkdirSync(join(planted, path, 'src'), { recursive: true });
      writeFileSync(join(planted, path, 'src/planted.ts'), `import '../../coast/src/index.ts';\n`);
    }
    writeFileSync(join(planted, 'biome.json'), JSON.stringify(rules));
    const words = ['lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none', planted];
    const biome = join(workspace, 'node_modules/.bin/biome');
    const { stdout } = await promisify(execFile)(biome, words, { cwd: planted, maxBuffer: 1e8 }).catch(
      (error: { stdout: string }) => error,
    );
    const refused = [...stdout.matchAll(/(packages\/\w+\/[\w-]+)\/src\/planted\.ts/g)].map(([, path]) => path!);
    expect([...new Set(refused)].sort()).toEqual(folders.map(({ path }) => path).sort());
  } finally {
    rmSync(planted, { recursive: true, force: true });
  }
});
