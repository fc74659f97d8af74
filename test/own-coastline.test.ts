import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCoast, openCoastData } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import type { DistanceResponse, ProblemDocument } from '@leeward/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { writeShapefile } from '../packages/extend/coast-builder/src/testing/shapefile-fixture.ts';
import { countyWater, GALVESTON } from './support/county-water.ts';
import { type Demo, startDemo } from './support/demo.ts';
import { workspace } from './support/running-leeward.ts';

/** Places in and about the county: the island, the bay's west side, its north, and far away. */
const homes = [
  [29.2858, -94.8203],
  [29.1506, -95.1623],
  [29.4062, -95.0148],
  [29.3821, -94.8981],
  [29.4935, -94.9966],
  [29.7444, -94.5143],
  [25.7826, -80.1341],
] as const;

describe('a coastline of one’s own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-coastline-'));
  const leeward = async (...words: string[]) => {
    const ended = await runWords(['coast', ...words], { folder });
    expect(ended.errors).not.toContain('leeward: ');
    expect(ended.code).toBe(0);
    return ended;
  };
  const coverage = `--coverage=${GALVESTON.join(',')}`;
  let demo: Demo;

  beforeAll(async () => {
    writeFileSync(join(folder, 'water.geojson'), countyWater(GALVESTON));
    writeFileSync(
      join(folder, 'homes.csv'),
      ['policy,lat,lng', ...homes.map(([lat, lng], at) => `P${at},${lat},${lng}`)].join('\n'),
    );
    const kind = ['water.geojson', '--kind', 'tiger-areawater', '--shore', 'Gulf', coverage];
    const { errors } = await leeward('build', ...kind, '--name', 'galveston', '--out', 'county.coast');
    expect(errors).toMatch(
      /galveston: 95 % of the errors are within [\d,]+ m by 2\d NOAA tide stations, their own error taken off/,
    );
    expect(errors).toContain('Warning: stations without a line near: ');
    expect(errors).toMatch(/worse than that of the shipped coastline along its lines, \d+ m/);
    const named = ['water.geojson', '--kind', 'water', '--layer', 'county_water', coverage, '--accuracy', '900'];
    await leeward('build', ...named, '--name', 'named', '--out', 'named.coast');
    const files = ['county.coast', 'named.coast'].map((file) => join(folder, file));
    demo = await startDemo({ environment: { LEEWARD_COASTLINES: [...files, 'us'].join(',') } });
  });
  afterAll(async () => {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async <Body = DistanceResponse>(lat: number, lng: number, coast?: string) => {
    const response = await demo.post('/v1/distance-to-coast', { lat, lng, ...(coast && { coast }) });
    return { status: response.status, body: (await response.json()) as Body };
  };

  it('stores the data of tide stations in its file', () => {
    const { header } = openCoastData(readFileSync(join(folder, 'county.coast')), 'county');
    expect(header.accuracy.method).toMatch(
      /^95 % of the errors are within [\d,]+ m by 2\d NOAA tide stations, their own error taken off/,
    );
    expect(header.accuracy.radiusMeters[0]).toBeGreaterThan(500);
  });

  it('answers over HTTP for every layer there is, and names them where one is not', async () => {
    const { status, body } = await ask<ProblemDocument>(29.2858, -94.8203, 'lagoon');
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ path: '/coast', code: 'unknown_coast' }]);
    const listed = /give (.*)\.$/.exec(body.errors![0]!.message)![1]!.split(/, | or /);
    expect(listed).toEqual(
      expect.arrayContaining(['tidal', 'county_water', 'ocean', 'great_lakes', 'mean_high_water']),
    );
    for (const layer of listed) {
      const answer = await ask(29.2858, -94.8203, layer);
      expect(answer.status).toBe(200);
      expect(answer.body.coast_definition).toBe(layer);
      const own = { tidal: 'galveston', county_water: 'named' }[layer];
      if (own !== undefined) expect(answer.body.dataset.name).toBe(own);
      else expect(answer.body.dataset.name).toMatch(/-us$/);
    }
  });

  it('answers within its coverage, and the shipped one beyond', async () => {
    expect((await ask(29.4062, -95.0148)).body.dataset.name).toBe('galveston');
    expect((await ask(25.7826, -80.1341)).body.dataset.name).toBe('osm-us');
    const outside = await ask<ProblemDocument>(25.7826, -80.1341, 'county_water');
    expect(outside.status).toBe(422);
    expect(outside.body.errors).toMatchObject([{ code: 'outside_coverage' }]);
  });

  it('is compared with the shipped one: the homes that cross a limit are named, and no others', async () => {
    const words = ['us', 'county.coast', '--homes', 'homes.csv', '--limit', '1000ft,1mi,5mi', '--format', 'json'];
    const { output } = await leeward('compare', ...words);
    const { homes: compared, skipped, crossings } = JSON.parse(output);
    expect([compared, skipped]).toEqual([6, 1]);
    const us = loadCoastlineUs();
    const county = createCoast(openCoastData(readFileSync(join(folder, 'county.coast')), 'county'));
    const expected = homes.slice(0, 6).flatMap(([latitude, longitude], at) => {
      const [one, other] = [us, county].map((coast) => coast.nearest({ latitude, longitude }, 'tidal').distanceMeters);
      return [304.8, 1_609.344, 8_046.72].flatMap((limit) =>
        one! <= limit !== other! <= limit ? [`${at + 2} ${limit}`] : [],
      );
    });
    expect(expected.length).toBeGreaterThan(0);
    expect(
      crossings
        .map(({ line, limit_meters }: { line: number; limit_meters: number }) => `${line} ${limit_meters}`)
        .sort(),
    ).toEqual(expected.sort());
  });

  it('is held to the limits of carriers, by name', async () => {
    const carriers = join(workspace, 'fixtures/carriers');
    const text = await leeward('compare', 'us', 'county.coast', '--homes', 'homes.csv', '--carriers', carriers);
    expect(text.output).toMatch(
      /line 3 \(29\.15060, -95\.16230\): [\d,]+ m → [\d,]+ m, .* of brackish_bay \(gulf-water\)/,
    );
    expect(text.output).toContain('ocean is not compared');
    const csv = await leeward(
      'compare',
      'us',
      'county.coast',
      '--homes',
      'homes.csv',
      '--carriers',
      carriers,
      '--format',
      'csv',
    );
    const [head, ...rows] = csv.output.trim().split('\n');
    expect(head).toMatch(/^policy,lat,lng,line,home_lat,home_lng,carrier_key,rule_ids,/);
    expect(rows.some((row) => /^P1,29\.1506,-95\.1623,3,.*brackish_bay,gulf-water,tidal/.test(row))).toBe(true);
  });

  it('is not built for a coverage with swapped axes', async () => {
    const swapped = ['water.geojson', '--kind', 'water', '--accuracy', '900', '--coverage=29.1,-95.2,29.8,-94.5'];
    const { code, errors } = await runWords(['coast', 'build', ...swapped, '--out', 'swapped.coast'], { folder });
    expect(code).not.toBe(0);
    expect(errors).toContain('--coverage is "29.1,-95.2,29.8,-94.5", all in the Antarctic: the axes look swapped');
  });

  it('is not built from a projected shapefile', async () => {
    const parts = [
      [
        [-95, 29],
        [-95, 29.5],
      ],
    ] as const;
    const { shp, dbf } = writeShapefile('line', [{ parts, attributes: { NAME: 'Gulf' } }]);
    writeFileSync(join(folder, 'shore.shp'), shp);
    writeFileSync(join(folder, 'shore.dbf'), dbf);
    const words = ['coast', 'build', 'shore.shp', '--accuracy', '20', '--out', 'shore.coast'];
    expect((await runWords(words, { folder })).code).toBe(0);
    writeFileSync(join(folder, 'shore.prj'), 'PROJCS["NAD_1983_UTM_Zone_15N",GEOGCS["GCS_North_American_1983"]]');
    const { code, errors } = await runWords(words, { folder });
    expect(code).toBe(1);
    expect(errors).toContain('shore.shp: its .prj is projected (NAD_1983_UTM_Zone_15N)');
    expect(errors).toContain('ogr2ogr -t_srs EPSG:4326');
  });

  it('is refused at the start where it would shadow another', async () => {
    const build = ['water.geojson', '--kind', 'tiger-areawater', '--shore', 'Gulf', '--accuracy', '900'];
    await leeward('build', ...build, '--name', 'shadow', '--out', 'shadow.coast');
    const environment = { PORT: '0', LEEWARD_DATA_DIR: folder };
    const words = ['serve', '--demo', '--coastline', 'shadow.coast', 'us'];
    const { code, errors } = await runWords(words, { environment, folder });
    expect(code).toBe(1);
    expect(errors).toContain('osm-us would never answer "tidal"');
  });
});
