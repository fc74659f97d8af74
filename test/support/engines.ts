import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { workspace } from './running-leeward.ts';

const isRequired = process.env['LEEWARD_REQUIRE_SERVICES'] === '1';

/** The interpreter with the packages of `packages/extend/python/requirements-ci.txt`: `LEEWARD_PYTHON`, else the one in `.venv`. */
export const python = process.env['LEEWARD_PYTHON'] ?? `${workspace}/.venv/bin/python`;

/**
 * Returns true if tests can use these Python modules, or must. Otherwise they are skipped with a note.
 *
 * @example it.skipIf(!hasPythonModules('duckdb'))('…', () => spawnSync(python, ['-c', 'import duckdb']));
 */
export function hasPythonModules(...modules: readonly string[]): boolean {
  if (isRequired) return true;
  const isThere = existsSync(python) && spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status === 0;
  if (!isThere)
    console.log(`skipped: ${python} does not have ${modules.join(', ')} (set LEEWARD_PYTHON to one that does)`);
  return isThere;
}

/** Returns true if tests can compile Java, or must. Otherwise they are skipped with a note. */
export function hasJavaCompiler(): boolean {
  const isThere = isRequired || spawnSync('javac', ['--version']).status === 0;
  if (!isThere) console.log('skipped: no javac (apt-get install openjdk-17-jdk-headless)');
  return isThere;
}
