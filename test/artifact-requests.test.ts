/** An artifact's answers and faults, against those of HTTP: `parseRequest`, and the catalog. */
import { type ArtifactColumns, compileArtifact, openArtifact } from '@leeward/artifact';
import { homeVocabulary, parseRequest } from '@leeward/engine';
import { beforeAll, expect, it } from 'vitest';
import { fixtureCatalog } from './support/engine/fixture-catalog.ts';
import { randomRequest } from './support/engine/random-requests.ts';
import { createRandom } from './support/random.ts';
import { testVolume } from './support/test-volume.ts';

const catalog = fixtureCatalog();
const asOf = new Date('2026-11-20T12:00:00Z');
let artifact: Awaited<ReturnType<typeof openArtifact>>;
beforeAll(async () => {
  artifact = await openArtifact((await compileArtifact(catalog, { from: '2026-01-01', to: '2026-12-31' })).bytes);
});

const columnsOf = (bodies: readonly Record<string, unknown>[]): ArtifactColumns => {
  const names = new Set(bodies.flatMap((body) => Object.keys(body)));
  return Object.fromEntries([...names].map((name) => [name, bodies.map((body) => body[name])]));
};

it.each([
  ['complete', 0, 0],
  ['with gaps', 0.1, 0],
  ['mostly unknown', 0.7, 0],
  ['with faults', 0.1, 0.02],
  ['full of faults', 0.1, 0.3],
])('answers requests that are %s', (name, missing, faulty) => {
  const random = createRandom(46 + name.length);
  const states = ['fl', 'tx', 'la', 'ms', 'al', 'ga', 'sc', 'nc', 'va', 'md', 'ny', 'ca', 'pr'];
  const fields = [
    ...new Set([...artifact.manifest.inputs.map(({ column }) => column), ...artifact.manifest.given_together.flat()]),
  ];
  const bodies = Array.from({ length: testVolume(1500) }, () =>
    randomRequest(random, homeVocabulary, { missing, faulty, states, fields }),
  );
  const { statuses, faults } = artifact.evaluate(columnsOf(bodies), { asOf });
  let [answered, refused] = [0, 0];
  for (const [row, body] of bodies.entries()) {
    const parsed = parseRequest(body, { now: asOf });
    const own = faults.filter((fault) => fault.row === row);
    const written = (all: readonly { column: string; code: string; message: string }[]) =>
      all.map(({ column, code, message }) => `${column} ${code}: ${message}`).sort();
    if (parsed.ok && parsed.request.property.policyType === undefined) {
      expect(
        own.map(({ column, code }) => `${column} ${code}`),
        JSON.stringify(body),
      ).toEqual(['policy_type required']);
      continue;
    }
    const expected = parsed.ok ? [] : parsed.faults.map((fault) => ({ ...fault, column: fault.path.split('/')[1]! }));
    const ownOfHttp = own.filter(({ column, code }) => column !== 'policy_type' || code !== 'required');
    expect(written(ownOfHttp), JSON.stringify(body)).toEqual(written(expected));
    if (!parsed.ok) {
      refused++;
      continue;
    }
    answered++;
    const codes = catalog.statusCodes(parsed.request.property);
    const actual = catalog.carriers.map(({ key }) => statuses.get(key)![row]);
    expect(actual, JSON.stringify(body)).toEqual([...codes.subarray(0, catalog.carriers.length)]);
  }
  expect(answered + refused).toBeGreaterThan(bodies.length / 2);
  if (faulty === 0) expect(refused).toBeLessThan(bodies.length / 10);
  else expect(refused).toBeGreaterThan(bodies.length / 10);
});
