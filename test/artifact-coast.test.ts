import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Artifact, artifactStatuses, compileArtifact, openArtifact } from '@leeward/artifact';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { createCatalog } from '@leeward/engine';
import { readHome } from '@leeward/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coastFiles } from './support/coast-files.ts';
import { hasPythonModules, python } from './support/engines.ts';
import { createRandom } from './support/random.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

const AS_OF = '2026-11-20T12:00:00Z';
const TESTS = [
  ['decline', 'distance_to_tidal_water_feet', 1000],
  ['refer', 'distance_to_coast_miles', 1],
  ['decline', 'distance_to_ocean_feet', 2500],
  ['refer', 'distance_to_ocean_miles', 5],
  ['decline', 'distance_to_mean_high_water_feet', 1500],
] as const;

/** One carrier for each test, without a certainty and at 0.9. */
const catalog = createCatalog(
  TESTS.flatMap(([outcome, fact, value], number) =>
    [undefined, 0.9].map((certainty) => {
      const key = `carrier_${number}${certainty === undefined ? '' : '_certain'}`;
      const rule = { id: 'coast', outcome, code: 'distance_to_coast', message: 'Too near.' };
      const when = { all: [{ fact, operator: 'lessThan', value }] };
      const file = {
        format: 1,
        carrier: { key, name: key },
        version: '1',
        effective: { from: '2020-01-01' },
        ...(certainty === undefined ? {} : { certainty }),
        programs: [{ id: 'only', policy_types: ['ho3'], states: ['fl'], rules: [{ ...rule, when }] }],
      };
      return { name: key, file };
    }),
  ),
);
const coast = loadCoastlineUs();

type Home = Readonly<Record<string, unknown>>;

/** Homes at the limits of the rules, some with a distance, and some with points that are missing or wrong. */
function homesOf(count: number): Home[] {
  const random = createRandom(46);
  const home = { state: 'fl', policy_type: 'ho3' };
  const homes = Array.from({ length: count }, (_, row) => {
    const near = coast.nearest({ latitude: 25 + 6 * random(), longitude: -87 + 8 * random() }).coast;
    const degrees = [0.003, 0.02, 0.1][row % 3]!;
    const lat = near.latitude + degrees * (random() - 0.5);
    const lng = near.longitude + degrees * (random() - 0.5);
    return { ...home, lat, lng, distance_to_coast_miles: row % 7 === 0 ? 0.1 : undefined };
  });
  return [
    ...homes,
    home,
    { ...home, distance_to_ocean_feet: 100 },
    { ...home, lat: -80.13, lng: 25.79 },
    { ...home, lat: 60, lng: 10 },
    { ...home, lat: 91, lng: -80 },
    { ...home, lat: -181, lng: -80 },
    { ...home, lat: 25.79, lng: -180.5 },
    { ...home, lat: 25.79 },
    { ...home, lng: -80.13 },
  ];
}

describe('an artifact with the coast', () => {
  let artifact: Artifact;
  let folder: string;
  const homes = homesOf(testVolume(600));
  const expected: { readonly statuses: Record<string, string[]>; readonly faults: [number, string, string, string][] } =
    {
      statuses: {},
      faults: [],
    };

  beforeAll(async () => {
    const { bytes } = await compileArtifact(catalog, { from: '2026-01-01', to: '2026-12-31', coast: coastFiles() });
    artifact = await openArtifact(bytes);
    folder = mkdtempSync(join(tmpdir(), 'leeward-coast-'));
    writeFileSync(join(folder, 'coast.leeward'), bytes);
    writeFileSync(join(folder, 'homes.json'), JSON.stringify(homes));
    const keys = catalog.carriers.map(({ key }) => key);
    for (const key of keys) expected.statuses[key] = [];
    for (const [row, home] of homes.entries()) {
      const body = Object.fromEntries(Object.entries(home).filter(([, value]) => value !== undefined));
      const options = { now: new Date(AS_OF), vocabulary: catalog.vocabulary, distance: { coast } };
      const read = await readHome(body, { ...options, certainties: () => [0.9] });
      if (!read.ok)
        for (const { path, code, message } of read.faults) expected.faults.push([row, path.slice(1), code, message]);
      const verdicts = read.ok ? (await catalog.decide(read.request.property)).verdicts : [];
      for (const key of keys) {
        expected.statuses[key]!.push(verdicts.find(({ carrierKey }) => carrierKey === key)?.status ?? 'invalid');
      }
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gives homes with a point the statuses and faults of the service', () => {
    const columns = Object.fromEntries(
      ['state', 'policy_type', 'lat', 'lng', 'distance_to_coast_miles', 'distance_to_ocean_feet'].map((name) => [
        name,
        homes.map((home) => home[name]),
      ]),
    );
    const { statuses, faults } = artifact.evaluate(columns, { asOf: new Date(AS_OF) });
    const got = [...statuses].map(([key, codes]) => [key, Array.from(codes, (code) => artifactStatuses[code])]);
    expect(Object.fromEntries(got)).toEqual(expected.statuses);
    expect(faults.map(({ row, column, code, message }) => [row, column, code, message])).toEqual(expected.faults);
    const latitudes = faults.filter(({ column, code }) => column === 'lat' && code === 'out_of_range');
    expect(latitudes.map(({ message }) => message)).toEqual([
      'lat is 91; give decimal degrees from -90 to 90. Are lat and lng swapped?',
      'lat is -181; give decimal degrees from -90 to 90.',
    ]);
    for (const key of ['carrier_0', 'carrier_3_certain', 'carrier_4'])
      expect(new Set(expected.statuses[key]).size).toBeGreaterThan(2);
    expect(expected.statuses['carrier_0']).not.toEqual(expected.statuses['carrier_0_certain']);
  });

  it('does not measure an area: its distance stays unknown', () => {
    const columns = { state: ['fl', 'fl'], policy_type: ['ho3', 'ho3'], lat: [28.1, 28.1], lng: [-81.6, -81.6] };
    const { statuses } = artifact.evaluate({ ...columns, radius_meters: [null, 30] }, { asOf: new Date(AS_OF) });
    expect([...statuses.get('carrier_0')!]).toEqual([1, 3]);
  });

  it('measures one point, and names the sources with their licences', () => {
    const { distanceMeters, minMeters, maxMeters, dataset } = coast.nearest([-82.46, 27.95], 'ocean');
    expect(artifact.distanceToCoast(27.95, -82.46, 'ocean')).toEqual({
      meters: distanceMeters,
      min: minMeters,
      max: maxMeters,
      source: dataset.name,
    });
    expect(artifact.distanceToCoast(60, 10)).toBeUndefined();
    expect(() => artifact.distanceToCoast(91, 10)).toThrow('91, 10');
    expect(artifact.manifest.licences.join(' ')).toMatch(/ODbL.*GSHHG/);
  });

  it('has no coast unless it is compiled with one', async () => {
    const { bytes } = await compileArtifact(catalog, { from: '2026-01-01', to: '2026-01-31' });
    const bare = await openArtifact(bytes);
    expect(() => bare.distanceToCoast(27.95, -82.46)).toThrow('compile it with --coast');
    const columns = { state: ['fl'], policy_type: ['ho3'], lat: [27.95], lng: [-82.46] };
    const { statuses } = bare.evaluate(columns, { asOf: new Date('2026-01-10T12:00:00Z') });
    expect([...statuses.get('carrier_0')!]).toEqual([3]);
  });

  it.skipIf(!hasPythonModules('pyarrow', 'wasmtime'))('gives the same answers in Python', () => {
    const { stdout, stderr } = spawnSync(python, ['-c', PYTHON, folder, AS_OF], {
      encoding: 'utf8',
      env: {
        ...process.env,
        PYTHONPATH: join(workspace, 'packages/extend/python/src'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
    });
    expect(stderr).toBe('');
    const { statuses, faults, point, outside, area } = JSON.parse(stdout);
    expect(area).toEqual(['eligible', 'needs_information']);
    expect(statuses).toEqual(expected.statuses);
    expect(faults).toEqual(expected.faults);
    const { meters, min, max, source } = artifact.distanceToCoast(27.95, -82.46)!;
    expect(point).toEqual([meters, min, max, source]);
    expect(outside).toBe(true);
  });
});

const PYTHON = `
import json, math, sys
import pyarrow as pa
from leeward import Artifact
folder, as_of = sys.argv[1:]
artifact = Artifact.open(folder + "/coast.leeward")
homes = json.load(open(folder + "/homes.json"))
names = ["state", "policy_type", "lat", "lng", "distance_to_coast_miles", "distance_to_ocean_feet"]
table = pa.table({name: [home.get(name) for home in homes] for name in names})
result = artifact.evaluate(table, as_of=as_of)
area = artifact.evaluate(pa.table({"state": ["fl", "fl"], "policy_type": ["ho3", "ho3"], "lat": [28.1, 28.1], "lng": [-81.6, -81.6], "radius_meters": [None, 30]}), as_of=as_of)
print(json.dumps({
    "area": area["carrier_0"].to_pylist(),
    "statuses": {carrier: result[carrier].to_pylist() for carrier in artifact.carriers},
    "faults": [[row, each["column"], each["code"], each["message"]] for row, errors in enumerate(result["errors"].to_pylist()) for each in errors or ()],
    "point": artifact.distance_to_coast(27.95, -82.46),
    "outside": math.isnan(artifact.distance_to_coast(60, 10, "ocean").meters),
}))
`;
