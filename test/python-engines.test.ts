import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compileArtifact } from '@leeward/artifact';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalog } from '../packages/apps/cli/src/carriers/carrier-files.ts';
import { hasJavaCompiler, hasPythonModules } from './support/engines.ts';
import { guideBlocks } from './support/guide-blocks.ts';
import { type InstalledPackage, installPythonPackage, runProgram, runPytest } from './support/python-package.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

/** A guide starts an engine anew, which takes half a minute. Run guides with more volume only, such as npm run test:nightly. */
const runsGuides = testVolume(1) >= 2;

/** A few carriers: the results of Spark and Ray do not depend on their number. */
const carriers = ['bayou_mutual', 'brackish_bay', 'cedar_brake', 'heron_shore'];

describe.skipIf(!hasPythonModules('pyspark', 'ray', 'pytest'))('the Python package in Spark and Ray', () => {
  let installed: InstalledPackage;
  let artifact: Uint8Array;

  const expectGuide = (name: string) => {
    const { program, output } = guideBlocks(name);
    expect(runProgram(installed, program)).toBe(output.trim());
  };

  beforeAll(async () => {
    installed = installPythonPackage();
    const folder = join(installed.folder, 'carriers');
    for (const key of carriers)
      cpSync(join(workspace, 'fixtures/carriers', key), join(folder, key), { recursive: true });
    ({ bytes: artifact } = await compileArtifact(readCatalog(folder, folder), {
      from: '2026-11-01',
      to: '2026-12-31',
    }));
  });
  afterAll(() => rmSync(installed.folder, { recursive: true }));

  it.skipIf(!hasJavaCompiler())(
    'gives each row once in Spark when executors and workers end',
    () => {
      const { status, output } = runPytest(installed, ['test_spark.py'], { artifact });
      expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
      if (runsGuides) expectGuide('spark');
    },
    1_800_000,
  );

  it('gives each row once in Ray when an actor ends', () => {
    const { status, output } = runPytest(installed, ['test_ray.py'], { artifact });
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    if (runsGuides) expectGuide('ray');
  }, 600_000);
});
