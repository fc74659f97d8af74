import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CompiledArtifact, compileArtifact } from '@leeward/artifact';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalog } from '../packages/apps/cli/src/carriers/carrier-files.ts';
import { hasPythonModules, python } from './support/engines.ts';
import { faultCases } from './support/fault-cases.ts';
import { type InstalledPackage, installPythonPackage, runPytest } from './support/python-package.ts';
import { workspace } from './support/running-leeward.ts';

const source = join(workspace, 'packages/extend/python');

describe.skipIf(!hasPythonModules('pyarrow', 'wasmtime', 'pytest', 'polars', 'pandas', 'duckdb'))(
  'the Python package',
  () => {
    let installed: InstalledPackage;
    let compiled: CompiledArtifact;

    beforeAll(async () => {
      installed = installPythonPackage();
      const catalog = readCatalog(join(workspace, 'fixtures/carriers'), workspace);
      compiled = await compileArtifact(catalog, { from: '2026-01-01', to: '2027-06-30' });
    });
    afterAll(() => rmSync(installed.folder, { recursive: true }));

    it('passes its tests, with the faults of HTTP', () => {
      const files = ['test_artifact.py', 'test_columns.py', 'test_rows.py', 'test_frames.py'];
      const { status, output } = runPytest(installed, files, {
        artifact: compiled.bytes,
        faults: faultCases(compiled.manifest),
      });
      console.log(output.slice(-1500));
      expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    });

    it('has the version of the repository', () => {
      const { version } = JSON.parse(readFileSync(join(workspace, 'packages/apps/cli/package.json'), 'utf8'));
      const { stdout } = spawnSync(python, ['-c', 'import leeward; print(leeward.__version__)'], {
        encoding: 'utf8',
        env: installed.environment,
      });
      expect(stdout.trim()).toBe(version);
    });

    it('passes mypy --strict', () => {
      const { status, stdout } = spawnSync(python, ['-m', 'mypy', '--cache-dir', join(installed.folder, 'mypy')], {
        cwd: source,
        encoding: 'utf8',
      });
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('no issues found') });
    });
  },
);
