import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openArtifact } from '@leeward/artifact';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPythonModules, python } from './support/engines.ts';
import { faultCases } from './support/fault-cases.ts';
import { guideBlocks } from './support/guide-blocks.ts';
import { startLeeward } from './support/leeward-process.ts';
import { type InstalledPackage, installPythonPackage, runProgram, runPytest } from './support/python-package.ts';
import { workspace } from './support/running-leeward.ts';

const source = join(workspace, 'packages/extend/python');
const compile = guideBlocks('python').shell[1]!;

describe.skipIf(!hasPythonModules('pyarrow', 'wasmtime', 'pytest', 'polars', 'pandas', 'duckdb'))(
  'the Python package',
  () => {
    let installed: InstalledPackage;

    beforeAll(async () => {
      installed = installPythonPackage();
      const words = compile.replace('npx leeward ', '').split(' ');
      const { code, errors } = await startLeeward(words, { folder: installed.folder }).ended;
      expect({ code, errors }).toMatchObject({ code: 0 });
      // Compiling evaluates tens of thousands of homes.
    }, 600_000);
    afterAll(() => rmSync(installed.folder, { recursive: true }));

    it('passes its tests, with the faults of HTTP', async () => {
      const artifact = readFileSync(join(installed.folder, 'home.leeward'));
      const { manifest } = await openArtifact(artifact);
      const files = ['test_artifact.py', 'test_columns.py', 'test_rows.py', 'test_frames.py'];
      const { status, output } = runPytest(installed, files, { artifact, faults: faultCases(manifest) });
      expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    });

    it.each(['python', 'polars-pandas', 'duckdb-python'])('prints the output of the guide %s', (name) => {
      const { shell, program, output } = guideBlocks(name);
      expect(shell[0]).toMatch(/^pip install '?\.\/packages\/extend\/python(\[[a-z,]+\]')?$/);
      expect(shell.slice(1)).toEqual([compile]);
      expect(runProgram(installed, program)).toBe(output.trim());
    });

    it('has the version of the repository', () => {
      const { version } = JSON.parse(readFileSync(join(workspace, 'packages/apps/cli/package.json'), 'utf8'));
      expect(runProgram(installed, 'import leeward; print(leeward.__version__)')).toBe(version);
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
