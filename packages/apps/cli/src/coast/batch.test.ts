import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { respondText, startAnswerServer } from '@leeward/places/testing';
import { readCells } from '@leeward/rows';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

function readTable(path: string): Record<string, string>[] {
  const [head = [], ...rows] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => [readCells(text, ',')].flat());
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])));
}

interface Line {
  readonly line: number;
  readonly home: Record<string, string>;
  readonly answer?: {
    readonly distance: { readonly raw: { readonly meters: number } };
    readonly bearing_degrees: string;
    readonly range_meters: { readonly min: number; readonly max: number };
    readonly location: { readonly source: string; readonly precision: string };
    readonly dataset: { readonly name: string };
  };
  readonly problem?: { readonly code: string; readonly message: string };
}

function readLines(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

async function batch(text: string, words: readonly string[] = [], environment: Record<string, string> = {}) {
  const folder = temporaryFolder({ 'homes.csv': text });
  const outcome = await runWords(['coast', 'batch', 'homes.csv', ...words], { folder: folder.path, environment });
  return { ...outcome, folder, at: (name: string) => join(folder.path, name) };
}

const odd = `id,Address,City,State,Zip,Latitude,Longitude
1,1600 Ocean Dr,Miami Beach,FL,33139,,
2,,,,,25.7826,-80.1341
3,PO Box 12,Miami,FL,33101,,
4,,,,,-80.1341,25.7826
5,"12 Elm St, Apt 4",Nowhereville,FL,00000,,
6,,,,,north,-80
7,"unclosed,Miami,FL,33101,,
8,,,,33139,,
9,a,b
10,,,,,29.3,
11,,,,,,
12,,,,,-60,100
13,calle ñ 😀,Bayamón,PR,,,
`;

describe('leeward coast batch', () => {
  it('knows mean high water, which no layer draws, as single answers do', async () => {
    const homes = 'lat,lng\n25.7826,-80.1341\n27.9506,-82.4572\n30.3322,-81.6557\n';
    const words = ['--coast', 'mean_high_water'];
    using csv = (await batch(homes, words)).folder;
    using lines = (await batch(homes, [...words, '--output', 'homes.ndjson'])).folder;
    const answers = readLines(join(lines.path, 'homes.ndjson')).map(({ answer }) => answer!);
    const rows = readTable(join(csv.path, 'homes.coast.csv'));
    expect(rows).toHaveLength(3);
    for (const [index, row] of rows.entries()) {
      const { distance, range_meters: range } = answers[index]!;
      expect(Number(row['distance_meters'])).toBeCloseTo(distance.raw.meters, 1);
      expect(Number(row['range_min_meters'])).toBeCloseTo(range.min, 1);
      expect(Number(row['range_max_meters'])).toBeCloseTo(range.max, 1);
    }
    // Tampa: tidal water near, open water far.
    expect(Number(rows[1]!['range_min_meters'])).toBeLessThan(1_000);
    expect(Number(rows[1]!['distance_meters'])).toBeGreaterThan(2_000);
    const { output, code } = await runWords(['coast', 'near', '27.9506', '-82.4572', ...words, '--json'], {});
    expect({ code, answer: JSON.parse(output) }).toEqual({ code: 0, answer: answers[1] });
  });

  it('answers every line, each bad one with its problem, and counts them', async () => {
    const run = await batch(odd, ['--json']);
    using _ = run.folder;
    expect(run.code).toBe(0);
    const rows = readTable(run.at('homes.coast.csv'));
    expect(rows.map(({ line }) => Number(line))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(rows.map(({ problem_code, precision }) => problem_code || precision)).toEqual([
      'zip_centroid',
      'exact',
      'po_box',
      'swapped',
      'address_not_found',
      'invalid_number',
      'malformed_row',
      'zip_centroid',
      'malformed_row',
      'required_with',
      'required',
      'outside_coverage',
      'city_centroid',
    ]);
    // Input columns are unchanged.
    expect(rows[4]).toMatchObject({ id: '5', Address: '12 Elm St, Apt 4', City: 'Nowhereville', Zip: '00000' });
    for (const row of rows) expect(row['problem'] === '').toBe(row['distance_meters'] !== '');
    const summary = JSON.parse(run.output) as { homes: number; answered: number; problems: object; warnings: object };
    expect(summary).toMatchObject({ homes: 13, answered: 4, warnings: { coarse_location: 2 } });
    expect(summary.problems).toMatchObject({ malformed_row: 2, address_not_found: 1, po_box: 1, outside_coverage: 1 });
  });

  it('writes the columns that the guide lists', async () => {
    const run = await batch('lat,lng\n25.78,-80.13');
    using _ = run.folder;
    const guide = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const rows = guide.split('| columns | |')[1]!.split('\n\n')[0]!;
    // The first cell of a row names columns; the second may name codes.
    const cells = rows.split('\n').map((row) => row.split('|')[1] ?? '');
    const listed = [...cells.join().matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(
      Object.keys(readTable(run.at('homes.coast.csv'))[0]!)
        .slice(2)
        .sort(),
    ).toEqual(listed.sort());
  });

  it('gives the same results as CSV, as NDJSON and through the library', async () => {
    const places = Array.from(
      { length: 1_500 },
      (_, index) => [25 + (index % 40) / 2, -97 + (index % 53) / 2] as const,
    );
    const text = `lat,lon\n${places.map(([lat, lng]) => `${lat},${lng}`).join('\n')}`;
    const run = await batch(text, ['--coast', 'ocean']);
    using _ = run.folder;
    const again = await runWords(['coast', 'batch', 'homes.csv', '--coast', 'ocean', '--output', 'homes.ndjson'], {
      folder: run.folder.path,
    });
    expect([run.code, again.code]).toEqual([0, 0]);
    const rows = readTable(run.at('homes.coast.csv'));
    const lines = readLines(run.at('homes.ndjson'));
    const coast = loadCoastlineUs();
    expect(rows).toHaveLength(places.length);
    const otherwise = places.flatMap(([latitude, longitude], index) => {
      const { distanceMeters } = coast.nearest({ latitude, longitude }, 'ocean');
      const answer = lines[index]!.answer!;
      const row = rows[index]!;
      const isSame =
        answer.distance.raw.meters === distanceMeters &&
        Math.abs(Number(row['distance_meters']) - distanceMeters) < 0.051 &&
        Math.abs(Number(row['range_max_meters']) - answer.range_meters.max) < 0.051 &&
        `${row['bearing_degrees']}°` === answer.bearing_degrees &&
        row['dataset'] === answer.dataset.name;
      return isSame ? [] : [{ distanceMeters, answer, row }];
    });
    expect(otherwise).toEqual([]);
  });

  it.each([
    ['a whole address', 'address\n1600 Ocean Dr, Miami Beach, FL 33139\n"1600 Ocean Dr, Miami Beach, FL 33139"'],
    ['street and city', 'Street Address,City,State,ZIP Code\n1600 Ocean Dr,Miami Beach,FL,33139-1234'],
    ['as OpenAddresses has it', 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n,,1600,OCEAN DR,Miami Beach,FL,33139'],
    ['a ZIP code', 'zip,id\n33139,7'],
    ['a byte order mark, and semicolons in cells', '\uFEFFid;x,address\n7;8,33139'],
  ])('recognizes %s', async (_name, text) => {
    const run = await batch(text);
    using _ = run.folder;
    expect(run.errors).not.toContain('leeward:');
    const rows = readTable(run.at('homes.coast.csv'));
    for (const row of rows) expect(row['matched_address']).toBe('Miami Beach, FL 33139');
  });

  it.each<[string, string[], string, number?]>([
    ['', [], 'homes.csv is empty'],
    ['name,price\na,b', [], 'no column with the location of a home. Name the columns address; or'],
    ['zip,zipcode\n1,2', [], 'two columns with the same meaning, "zip" and "zipcode"'],
    ['lat,lng,distance_meters\n1,2,3', [], 'has a column "distance_meters", which the answer writes too'],
    ['"lat,lng\n1,2', [], 'an unmatched quotation mark'],
    ['lat,lng\n1,2', ['--concurrency', '0'], '--concurrency is "0"; give a number from 1 to 256'],
    ['lat,lng\n1,2', ['--coast', 'sea'], '"sea"'],
    ['lat,lng\n1,2', ['--index', 'none.bin'], 'The coastline none.bin cannot be read (ENOENT)', 2],
  ])('refuses %j %j before it writes anything', async (text, words, message, expected = 1) => {
    const run = await batch(text, words);
    using _ = run.folder;
    expect(run.code).toBe(expected);
    expect(run.errors).toContain(message);
    expect(() => readFileSync(run.at('homes.coast.csv.partial'))).toThrow('ENOENT');
  });

  it('keeps complete files, and files of other inputs', async () => {
    const run = await batch('lat,lng\n25.78,-80.13');
    using folder = run.folder;
    const words = ['coast', 'batch', 'homes.csv'];
    const again = await runWords(words, { folder: folder.path });
    expect(again.errors).toContain('homes.coast.csv is there already');
    writeFileSync(run.at('homes.csv'), 'lat,lng\n26.78,-80.13');
    expect((await runWords([...words, '--restart'], { folder: folder.path })).code).toBe(0);
    expect(readTable(run.at('homes.coast.csv'))[0]!['lat']).toBe('26.78');
    expect((await runWords(['coast', 'batch', 'none.csv'], { folder: folder.path })).errors).toContain(
      'no file none.csv',
    );
  });
});

describe('leeward coast batch with a geocoder', () => {
  const place = JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        geometry: { type: 'Point', coordinates: [-80.1299, 25.7891] },
        properties: {
          type: 'house',
          housenumber: '1600',
          street: 'Ocean Drive',
          state: 'Florida',
          postcode: '33139',
          countrycode: 'US',
        },
      },
    ],
  });
  const homes = (number: (index: number) => number) => {
    const rows = Array.from({ length: 30 }, (_, index) => `"${number(index)} Ocean Dr, Miami Beach, FL 33139"`);
    return `address\n${rows.join('\n')}`;
  };
  const photon = (baseUrl: string) => ({
    LEEWARD_GEOCODERS: 'photon',
    LEEWARD_PHOTON_URL: baseUrl,
    LEEWARD_PHOTON_RATE: '0',
  });

  it('limits concurrent lookups to the configured maximum', async () => {
    let most = 0;
    let now = 0;
    const server = await startAnswerServer((_, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.writeHead(200, { 'content-type': 'application/json' }).end(place);
      }, 5);
    });
    const run = await batch(
      homes((index) => index + 1),
      ['--concurrency', '3'],
      photon(server.baseUrl),
    );
    using _ = run.folder;
    await server.close();
    expect(run.code).toBe(0);
    expect(server.requests).toHaveLength(30);
    expect(most).toBe(3);
  });

  it('names the geocoder and the precision, and locates each house once', async () => {
    const server = await startAnswerServer(respondText(place, 'application/json'));
    const run = await batch(
      homes(() => 1600),
      ['--output', 'out.ndjson'],
      photon(server.baseUrl),
    );
    using _ = run.folder;
    await server.close();
    const lines = readLines(run.at('out.ndjson'));
    expect(lines).toHaveLength(30);
    for (const { answer } of lines) expect(answer!.location).toMatchObject({ source: 'photon', precision: 'rooftop' });
    expect(server.requests).toHaveLength(1);
  });

  it('falls back to ZIP codes during an outage if allowed, and marks those rows', async () => {
    let asked = 0;
    const server = await startAnswerServer((request, response) => {
      asked += 1;
      const respond =
        asked > 1 ? respondText('<h1>Bad gateway</h1>', 'text/html', 502) : respondText(place, 'application/json');
      respond(request, response);
    });
    const words = ['--concurrency', '1', '--accept-coarse', '--output', 'out.ndjson'];
    const run = await batch(
      homes((index) => (index < 5 ? 1600 : 1600 + index)),
      words,
      photon(server.baseUrl),
    );
    using _ = run.folder;
    await server.close();
    expect(run.code).toBe(0);
    expect(run.output).toContain('known by: the center of the ZIP code 25, the building 5');
    expect(run.output).toContain('geocoder unavailable 25');
  });
});
