/**
 * `npm run check:core [-- --without-tests] [--keep-build]`
 *
 * Copies the workspace without `packages/extend` and `packages/apps`, then checks types, builds every core package, imports each built
 * entry point and runs the tests of core. Fails if core needs anything from the other two groups. `--keep-build` copies the built packages
 * into the workspace, where `npm run build -- extend apps` builds the others.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { waysIntoPackages } from './docs/ways-in.ts';
import { packageFolders } from './package-folders.ts';

const workspace = resolve(import.meta.dirname, '..');
const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

/** Files of the root that core's build and tests read. */
const SHARED_PATHS = [
  ...['package.json', 'tsconfig.json', 'tsup.config.ts', 'vitest.config.ts'],
  ...['packages/core', 'fixtures', 'scripts', 'test/support', 'benchmarks/engine', 'docs'],
];

/** A copy of the workspace that has core alone. Other packages resolve to nothing; dependencies are the workspace's. */
export function copyCore(): string {
  const copy = mkdtempSync(join(tmpdir(), 'leeward-core-'));
  const tracked = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...SHARED_PATHS],
    {
      cwd: workspace,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  );
  for (const file of tracked.split('\0').filter((path) => path !== '' && existsSync(join(workspace, path))))
    cpSync(join(workspace, file), join(copy, file), { verbatimSymlinks: true });
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@leeward'), { recursive: true });
  for (const name of readdirSync(join(workspace, 'node_modules')))
    if (name !== '@leeward' && name !== 'leeward' && name !== '.cache')
      symlinkSync(join(workspace, 'node_modules', name), join(modules, name));
  for (const { name, path } of packageFolders(copy)) symlinkSync(join(copy, path), join(modules, '@leeward', name));
  writeFileSync(
    join(copy, 'tsconfig.json'),
    JSON.stringify({ extends: join(workspace, 'tsconfig.json'), include: ['packages/core/*/src'], exclude: [] }),
  );
  return copy;
}

function run(copy: string, title: string, command: string, words: readonly string[]): void {
  console.log(`\n== ${title}`);
  const startMs = performance.now();
  const { status } = spawnSync(command, words, { cwd: copy, env: environment, stdio: 'inherit' });
  if (status !== 0) throw new Error(`core alone: ${title} failed`);
  console.log(`${title}: ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
}

const copy = copyCore();
try {
  const program = (path: string) => join(workspace, 'node_modules', path);
  run(copy, 'types', process.execPath, [program('.bin/tsc'), '--noEmit']);
  run(copy, 'build', process.execPath, ['scripts/build-packages.ts']);
  const imports = waysIntoPackages(copy).map(({ specifier }) => `await import(${JSON.stringify(specifier)});`);
  run(copy, 'imports', process.execPath, ['--input-type=module', '--eval', imports.join('\n')]);
  if (!process.argv.includes('--without-tests'))
    run(copy, 'tests', process.execPath, [program('vitest/vitest.mjs'), 'run', '--project', 'packages']);
  if (process.argv.includes('--keep-build'))
    for (const { path } of packageFolders(copy)) {
      const kept = join(workspace, path, 'dist');
      rmSync(kept, { recursive: true, force: true });
      cpSync(join(copy, path, 'dist'), kept, { recursive: true });
    }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
