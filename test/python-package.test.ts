import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileArtifact, openArtifact } from '@leeward/artifact';
import { createCatalog, parseRequest } from '@leeward/engine';
import { states } from '@leeward/places/counties';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRow, withDates } from '../packages/extend/books/src/testing/random-rows.ts';
import { fixtureEntries } from './support/engine/fixture-catalog.ts';
import { moratorium, ruleFile, ruleSetFile, test } from './support/engine/rule-set-file.ts';
import { hasPythonModules, python } from './support/engines.ts';
import { faultCases } from './support/fault-cases.ts';
import { guideBlocks } from './support/guide-blocks.ts';
import { startLeeward } from './support/leeward-process.ts';
import { type InstalledPackage, installPythonPackage, runProgram, runPytest } from './support/python-package.ts';
import { createRandom } from './support/random.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

const source = join(workspace, 'packages/extend/python');
const compile = guideBlocks('python').shell[1]!;
const now = new Date('2026-11-20T12:00:00Z');
const [from, to] = ['2026-11-01', '2026-12-31'];
const few = ['bayou_mutual', 'cedar_brake'];

/** Prints the statuses of homes by carrier. */
const evaluateHomes = `
import json
import pyarrow as pa
from leeward import Artifact
homes = json.load(open("homes.json"))
names = dict.fromkeys(name for home in homes for name in home)
table = pa.table({name: [home.get(name) for home in homes] for name in names})
artifact = Artifact.open("random.leeward")
result = artifact.evaluate(table, as_of="${now.toISOString()}", ignore="others")
print(json.dumps({key: result[key].to_pylist() for key in artifact.carriers}))
`;

const [coverageA, coverageC] = [{ fact: 'dwelling_a' }, { fact: 'coverage_c' }];
const water = { count: 'losses', where: { all: [test('kind', 'equal', 'water')] } };
/** Values that readers compute: losses by the number of claims, arithmetic, two facts, days until the effective date. */
const computedRules = [
  [
    { when: { all: [{ count: 'losses', operator: 'greaterThan', value: 2 }] } },
    { outcome: 'refer', when: { all: [{ ...water, operator: 'greaterThan', value: 0 }] } },
  ],
  [{ when: { all: [{ subtract: [coverageA, coverageC], operator: 'lessThan', value: 50_000 }] } }],
  [
    { when: { all: [test('water_heater_age', 'greaterThan', { fact: 'home_age' })] } },
    { outcome: 'refer', when: { all: [test('dwelling_a', 'lessThan', { fact: 'coverage_c' })] } },
  ],
  [],
];
const statesOf = (group: number) => states.flatMap(({ code }, index) => (index % 4 === group ? [code] : []));
const computing = ruleSetFile({
  carrier: { key: 'computing', name: 'Computing' },
  rules: [],
  programs: computedRules.map((rules, group) => ({
    id: `group_${group}`,
    policy_types: ['ho3', 'ho5', 'dp3'],
    states: statesOf(group),
    rules: rules.map((rule, index) => ruleFile({ id: `rule_${group}_${index}`, ...rule })),
  })),
  moratoria: [
    moratorium({
      from: '2026-11-01T00:00:00Z',
      until: '2026-12-31T00:00:00Z',
      states: statesOf(3),
      unless: { all: [test('days_until_effective', 'greaterThan', 10)] },
    }),
  ],
});

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

    it('answers random homes as HTTP does', async () => {
      const entries = fixtureEntries().filter(({ name }) => few.includes(name!.split('/')[0]!));
      const catalog = createCatalog([...entries, { file: computing }]);
      const { bytes } = await compileArtifact(catalog, { from, to });
      writeFileSync(join(installed.folder, 'random.leeward'), bytes);
      const random = createRandom(20261127);
      const homes = Array.from({ length: testVolume(3000) }, () => {
        const home = withDates(randomRow(random, 0), random, 0);
        return random() < 0.8 ? { ...home, coverage_c: Math.round(800_000 * random()) } : home;
      });
      writeFileSync(join(installed.folder, 'homes.json'), JSON.stringify(homes));
      const answers = JSON.parse(runProgram(installed, evaluateHomes)) as Record<string, readonly string[]>;
      const counts: Record<string, number> = {};
      homes.forEach((home, row) => {
        const parsed = parseRequest(home, { now });
        const { property, effectiveDate } = parsed.ok ? parsed.request : {};
        const isAnswered = property?.policyType !== undefined && effectiveDate! >= from && effectiveDate! <= to;
        const verdicts = isAnswered ? catalog.decideSync(property).verdicts : [];
        const statuses = new Map(verdicts.map(({ carrierKey, status }) => [carrierKey, status]));
        for (const [key, own] of Object.entries(answers)) {
          const expected = isAnswered ? (statuses.get(key) ?? 'not_offered') : 'invalid';
          if (own[row] !== expected) expect(own[row], `${key}: ${JSON.stringify(home)}`).toBe(expected);
          if (key === 'computing') counts[expected] = (counts[expected] ?? 0) + 1;
        }
      });
      for (const status of ['eligible', 'referral', 'needs_information', 'ineligible', 'invalid'])
        expect(counts[status], status).toBeGreaterThan(0);
    }, 600_000);

    it.each(['python', 'polars-pandas', 'duckdb-python'])('prints the output of the guide %s', (name) => {
      const { shell, program, output } = guideBlocks(name);
      expect(shell[0]).toMatch(/^pip install '?\.\/packages\/extend\/python(\[[a-z,]+\]')?$/);
      expect(shell.slice(1)).toEqual([compile]);
      expect(runProgram(installed, program)).toBe(output.trim());
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
