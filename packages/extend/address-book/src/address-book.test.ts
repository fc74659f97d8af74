import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { splitAddress } from '@leeward/places';
import { geocoderCases } from '@leeward/places/testing';
import type { ZipGazetteer } from '@leeward/places/zips';
import { loadZipGazetteer } from '@leeward/places/zips';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AddressBook, openAddressBook } from './file/address-book.ts';
import { importAddresses } from './import-addresses.ts';
import { createAddressBookGeocoder } from './match/address-book-geocoder.ts';
import { removeSource } from './remove-source.ts';
import { readStreetName } from './street/street-name.ts';

// In the format of OpenAddresses; made-up addresses on real streets.
const miami = `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH
-80.1299001,25.7891001,1600,OCEAN DR,APT 1,MIAMI BEACH,,FL,33139,1,a1
-80.1299001,25.7891001,1600,OCEAN DR,APT 2,MIAMI BEACH,,FL,33139,2,a2
-80.1302000,25.7870000,1500,OCEAN DR,,MIAMI BEACH,,FL,33139-1234,3,a3
-80.1320000,25.7750000,900,OCEAN DR,,MIAMI BEACH,,FL,33139,4,a4
-80.1400000,25.7900000,1600,N MICHIGAN AVE,,MIAMI BEACH,,FL,33139,5,a5
-80.1400000,25.7800000,1600,S MICHIGAN AVE,,MIAMI BEACH,,FL,33139,6,a6
-80.1900000,25.7600000,100,US HIGHWAY 1,,MIAMI,,FL,,7,a7
-80.1219000,25.8500000,7001,"ST. CHARLES STREET, REAR",,MIAMI BEACH,,Florida,33141,8,a8
-80.1300000,25.7900000,0,OCEAN DR,,MIAMI BEACH,,FL,33139,9,a9
-80.1300000,25.7900000,1700,,,MIAMI BEACH,,FL,33139,10,b0
,,1702,OCEAN DR,,MIAMI BEACH,,FL,33139,11,b1
25.7900000,-80.1300000,1704,OCEAN DR,,MIAMI BEACH,,FL,33139,12,b2
-0.1200000,51.5000000,1706,OCEAN DR,,MIAMI BEACH,,FL,33139,13,b3
-80.1300000,25.7900000,1708,OCEAN DR,,MIAMI BEACH,,Ontario,33139,14,b4
-80.1300000,25.7900000,1710,"OCEAN" DR,,MIAMI BEACH,,FL,33139,15,b5
`;

let folder: string;
let database: string;
let book: AddressBook;
let zips: ZipGazetteer;
const path = (name: string) => join(folder, name);
const csv = (text: string) => Readable.from([Buffer.from(text)]);
const find = (from: AddressBook, number: string, street: string) =>
  from.streets({ core: readStreetName(street)!.core, state: undefined }).flatMap((each) => from.houses(each, number))
    .length;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-address-book-'));
  database = path('book.sqlite');
  writeFileSync(path('miami.csv'), `\ufeff${miami}`);
  await importAddresses({ database, from: path('miami.csv'), source: 'miami', attribution: 'Miami-Dade County' });
  book = openAddressBook(database);
  zips = await loadZipGazetteer();
});
afterAll(() => {
  book.close();
  rmSync(folder, { recursive: true });
});

describe('importAddresses', () => {
  it('reports what it did with each line', async () => {
    const report = await importAddresses({ database: path('report.sqlite'), from: csv(miami), source: 'miami' });
    expect(report).toEqual({
      source: 'miami',
      format: 'open_addresses',
      files: 0,
      rowsRead: 15,
      houses: 7,
      ranges: 0,
      duplicates: 1,
      zipsByPosition: 1,
      rejected: {
        no_number: 1,
        no_street: 1,
        no_coordinates: 1,
        swapped_coordinates: 1,
        outside_us: 1,
        unknown_state: 1,
        malformed_row: 1,
      },
      doubtful: {},
      examples: [
        [10, 'no_number', 'a house number was expected, not "0".'],
        [11, 'no_street', 'the name of a street was expected, not "".'],
        [12, 'no_coordinates', 'longitude and latitude in degrees were expected, not ", ".'],
        [13, 'swapped_coordinates', expect.stringContaining('longitude before latitude')],
        [14, 'outside_us', 'a place in the United States was expected, not "-0.1200000, 51.5000000".'],
        [15, 'unknown_state', 'a state of the United States was expected, not "Ontario".'],
        [16, 'malformed_row', expect.any(String)],
      ].map(([row, code, message]) => ({ file: 'The file', row, code, message })),
      resumedAtRow: 0,
      recognized: [],
    });
  });

  it('reads packed files, other orders of columns and lower case, and replaces a source of the same name', async () => {
    const file = path('packed.csv.gz');
    const target = path('packed.sqlite');
    writeFileSync(file, gzipSync('street,number,lat,lon\nElm St,12,42.37,-71.11\nElm St,14,42.371,-71.11\n'));
    await importAddresses({
      database: target,
      from: file,
      source: 'cambridge',
      state: 'Massachusetts',
      kind: 'parcel',
    });
    await importAddresses({
      database: target,
      from: csv('LON,LAT,NUMBER,STREET\n-71.2,42.4,16,Oak St\n'),
      source: 'other',
      state: 'ma',
    });
    const report = await importAddresses({
      database: target,
      from: csv('LON,LAT,NUMBER,STREET\n-71.11,42.37,18,Elm St\n'),
      source: 'cambridge',
      state: 'ma',
    });
    expect(report.houses).toBe(1);
    using opened = openAddressBook(target);
    expect(opened.sources()).toEqual([
      expect.objectContaining({ name: 'cambridge', format: 'table', houses: 1, ranges: 0 }),
      expect.objectContaining({ name: 'other', format: 'table', houses: 1, ranges: 0 }),
    ]);
    expect([find(opened, '12', 'Elm St'), find(opened, '18', 'Elm St'), find(opened, '16', 'Oak St')]).toEqual([
      0, 1, 1,
    ]);
    removeSource(target, 'other');
    expect(find(opened, '16', 'Oak St')).toBe(0);
    expect(() => removeSource(target, 'other')).toThrow(/no source "other"; the book has "cambridge"/);
  });

  it('leaves the book as it was when it fails or is ended', async () => {
    expect(find(book, '1600', 'Ocean Dr')).toBe(1);
    const broken = new Error('the disk is gone');
    async function* breaks() {
      yield Buffer.from('LON,LAT,NUMBER,STREET,REGION\n-80.1,25.8,1,A St,FL\n'.padEnd(70_000, '\n'));
      throw broken;
    }
    await expect(importAddresses({ database, from: Readable.from(breaks()), source: 'miami' })).rejects.toBe(broken);

    const controller = new AbortController();
    const reason = new Error('enough');
    async function* hangs() {
      yield Buffer.from('LON,LAT,NUMBER,STREET,REGION\n-80.1,25.8,1,A St,FL\n');
      setTimeout(() => controller.abort(reason), 10);
      await new Promise(() => {});
    }
    await expect(
      importAddresses({ database, from: Readable.from(hangs()), source: 'miami', signal: controller.signal }),
    ).rejects.toBe(reason);
    await expect(importAddresses({ database, from: path('none.csv'), source: 'miami' })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(find(book, '1600', 'Ocean Dr')).toBe(1);
  });

  it('lets readers read while it goes on', async () => {
    const target = path('busy.sqlite');
    await importAddresses({ database: target, from: csv(miami), source: 'miami' });
    using opened = openAddressBook(target);
    let found = 0;
    async function* slow() {
      yield Buffer.from('LON,LAT,NUMBER,STREET,REGION\n-80.1,25.8,1,A St,FL\n');
      await new Promise((resolve) => setTimeout(resolve, 20));
      found = find(opened, '1600', 'Ocean Dr');
    }
    await importAddresses({ database: target, from: Readable.from(slow()), source: 'miami' });
    expect(found).toBe(1);
    expect(find(opened, '1600', 'Ocean Dr')).toBe(0);
  });

  it.each([
    ['', /The file is empty/],
    ['\n\n', /The file is empty/],
    ['a,b\n1,2\n', /no column for longitude, latitude, number, street\. Its columns are: a, b\. Name them/],
    ['LON,LAT,NUMBER,STREET\n', /0 of 0 rows are usable/],
    ['LON,LAT,NUMBER,STREET\n-74.02,40.72,1,A St\n', /no_state 1.*set the state/],
    ['LON,LAT,NUMBER,STREET\n0,0,1,A St\n', /zero_coordinates 1/],
    ['LON,LAT,NUMBER,STREET\n583960.1,4507523.5,1,A St\n', /projected_coordinates 1.*degrees \(WGS 84\) were expected/],
    ['LON,LAT,NUMBER,STREET,REGION\n25.8,-80.1,1,A St,FL\n', /swapped_coordinates 1/],
    [
      `LON,LAT,NUMBER,STREET,REGION\n-80.1,25.8,1,"A St,FL\n${'x'.repeat(200_000)}`,
      /ends inside row 3.*may be incomplete/,
    ],
    ['\u0000\u0001\u0002PK\u0003\u0004', /is not a text, zip or shapefile/],
  ])('refuses a file it can do nothing with (%#)', async (text, message) => {
    await expect(importAddresses({ database: path('refused.sqlite'), from: csv(text), source: 'x' })).rejects.toThrow(
      message,
    );
  });

  it('rejects an unknown state and a database of another kind', async () => {
    await expect(importAddresses({ database, from: csv(miami), source: 'x', state: 'Ontario' })).rejects.toThrow(
      /"Ontario" is not a state/,
    );
    const other = path('other.sqlite');
    const foreign = new DatabaseSync(other);
    foreign.exec('CREATE TABLE quote (id TEXT)');
    foreign.close();
    await expect(importAddresses({ database: other, from: csv(miami), source: 'x' })).rejects.toThrow(
      /another database/,
    );
    expect(() => openAddressBook(other)).toThrow(/another database/);
    writeFileSync(path('text.sqlite'), 'no database at all, but a text that is long enough');
    expect(() => openAddressBook(path('text.sqlite'))).toThrow(/is not an address book/);
    expect(() => openAddressBook(path('missing.sqlite'))).toThrow(/import addresses first/);
  });
});

describe('the address book geocoder', () => {
  const ask = (text: string) => {
    const { address } = splitAddress(text, zips);
    if (address === undefined) throw new Error(`${text} is no address.`);
    return createAddressBookGeocoder(book, zips).geocode(address);
  };
  const cases = geocoderCases({ create: () => createAddressBookGeocoder(book, zips) });
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => one.run());

  it('answers an imported address by its building', async () => {
    expect(await ask('1600 Ocean Dr, Miami Beach FL 33139')).toEqual({
      status: 'found',
      geocode: {
        dataVersion: expect.stringMatching(/^miami \d{4}-\d\d-\d\dT/),
        latitude: 25.7891,
        longitude: -80.1299,
        precision: 'rooftop',
        errorRadiusMeters: 30,
        method: 'address_point',
        detail: 'recorded as its building (miami)',
        geocoder: 'address_book',
        matchedAddress: '1600 OCEAN DR, MIAMI BEACH, FL 33139',
        state: 'fl',
        zip: '33139',
        unmatched: [],
        attribution: 'Miami-Dade County',
      },
    });
  });

  it.each([
    '1600 Ocean Drive, Apt 12, Miami Beach, FL 33139',
    '1600 OCEAN DR # 4, 33139',
    '1600 Ocean Drive, Miami Beach, Florida',
    '1600 ocean, miami bch, fl',
    '1500 Ocean Dr Unit 7 Miami Beach FL 33139-9999',
    '1600 North Michigan Avenue, Miami Beach, FL 33139',
    '100 U.S. Hwy 1, Miami FL',
    '7001 Saint Charles St Rear, Miami Beach, FL 33141',
  ])('finds %s', async (text) => {
    expect(await ask(text)).toMatchObject({ status: 'found', geocode: { precision: 'rooftop', unmatched: [] } });
  });

  it('finds a record without city and ZIP code by its unambiguous position, and reports both as unmatched', async () => {
    const target = path('position.sqlite');
    const { latitude, longitude } = zips.find('32066')!;
    const row = `${longitude},${latitude},12,Pine Rd,FL\n`;
    const report = await importAddresses({
      database: target,
      from: csv(`LON,LAT,NUMBER,STREET,REGION\n${row}`),
      source: 'x',
    });
    expect(report.zipsByPosition).toBe(1);
    using opened = openAddressBook(target);
    const geocoder = createAddressBookGeocoder(opened, zips);
    const ask12 = (zip: string, line1 = '12 Pine Rd') => geocoder.geocode({ line1, city: 'Mayo', state: 'fl', zip });
    expect(await ask12('32066')).toMatchObject({
      status: 'found',
      geocode: { precision: 'rooftop', matchedAddress: '12 Pine Rd, FL', unmatched: ['city', 'zip'] },
    });
    expect(await ask12('32008')).toMatchObject({ status: 'not_found' });
    expect(await ask12('32066', '12 N Pine Rd')).toMatchObject({ status: 'not_found' });
    // Downtown ZIP points are too close together for a clear match.
    expect(await ask('100 US-1, Miami, FL 33131')).toMatchObject({ status: 'not_found' });
  });

  it.each([
    ['1600 Ocean Dr, Miami Beach, FL 33140', /1600 OCEAN DR, MIAMI BEACH, FL 33139, with another city or ZIP code/],
    ['1600 Ocean Dr, Miami, FL 33139', /1600 OCEAN DR, MIAMI BEACH, FL 33139, with another city or ZIP code/],
    ['100 N US-1, Miami, FL', /only US HIGHWAY 1, MIAMI, FL.*another direction|is not in the address book/],
  ])('does not match %s to a similar address, and states the difference', async (text, message) => {
    expect(await ask(text)).toMatchObject({ status: 'not_found', message: expect.stringMatching(message) });
  });

  it('takes a street whose rows partly lack their city for one street', async () => {
    const target = path('cities.sqlite');
    const { latitude, longitude } = zips.find('34471')!;
    // Every third row has no city. A second street of the name, 5 km away in the same ZIP code, has no city in any row.
    const row = (number: number, city: string, north: number) =>
      `${longitude},${(latitude + north + number * 1e-6).toFixed(6)},${number},Pine Rd,${city},FL,34471`;
    const rows = Array.from({ length: 40 }, (_, index) => row(100 + index * 20, index % 3 === 0 ? '' : 'Ocala', 0));
    const head = 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE';
    await importAddresses({ database: target, from: csv([head, ...rows].join('\n')), source: 'x' });
    using opened = openAddressBook(target);
    const geocoder = createAddressBookGeocoder(opened, zips);
    for (let number = 101; number < 880; number += 1) {
      const answer = await geocoder.geocode({ line1: `${number} Pine Rd`, city: 'Ocala', state: 'fl', zip: '34471' });
      expect(answer.status, `${number}`).toBe('found');
    }
    const far = [row(300, '', 0.045), row(400, '', 0.045)];
    await importAddresses({ database: target, from: csv([head, ...rows, ...far].join('\n')), source: 'x' });
    const answer = await geocoder.geocode({ line1: '310 Pine Rd', city: 'Ocala', state: 'fl', zip: '34471' });
    expect(answer.status).toBe('ambiguous');
  });

  it('does not choose between north and south', async () => {
    const answer = await ask('1600 Michigan Ave, Miami Beach, FL 33139');
    if (answer.status !== 'ambiguous') throw new Error(answer.status);
    expect(answer.candidates.map(({ matchedAddress }) => matchedAddress)).toEqual([
      '1600 N MICHIGAN AVE, MIAMI BEACH, FL 33139',
      '1600 S MICHIGAN AVE, MIAMI BEACH, FL 33139',
    ]);
  });

  it('answers the street where it has not the house, with a radius that holds the houses around', async () => {
    const answer = await ask('1234 Ocean Dr, Miami Beach, FL 33139');
    if (answer.status !== 'found') throw new Error(answer.status);
    expect(answer.geocode).toMatchObject({
      precision: 'street',
      unmatched: ['line1'],
      matchedAddress: 'OCEAN DR, MIAMI BEACH, FL 33139',
    });
    // 900 and 1500 are 1.3 km apart; 1600 is 850 m away.
    expect(answer.geocode.errorRadiusMeters).toBeGreaterThan(800);
    expect(answer.geocode.errorRadiusMeters).toBeLessThan(900);
  });

  it('answers a street without a house number with a radius that holds it all', async () => {
    const answer = await ask('Ocean Dr, Miami Beach, FL 33139');
    if (answer.status !== 'found') throw new Error(answer.status);
    expect(answer.geocode).toMatchObject({ precision: 'street', matchedAddress: 'OCEAN DR, MIAMI BEACH, FL 33139' });
    expect(answer.geocode.errorRadiusMeters).toBeGreaterThan(2_000);
    expect(answer.geocode.errorRadiusMeters).toBeLessThan(2_500);
  });

  it.each([
    '1600 Ocean Ave, Miami Beach, FL 33139',
    '1600 Ocean Dr, Tampa, FL 33602',
    '1600 Ocean Dr, Austin, TX 78701',
    '1601 Elm St, Miami Beach, FL',
    '33139',
    'Miami Beach, FL',
  ])('does not find %s', async (text) => {
    expect((await ask(text)).status).toBe('not_found');
  });

  it('takes the finest of several sources, and widens the radius where its points differ', async () => {
    const target = path('several.sqlite');
    const header = 'LON,LAT,NUMBER,STREET,REGION,POSTCODE\n';
    await importAddresses({
      database: target,
      from: csv(`${header}-80.1300,25.7900,5,Elm St,FL,33139\n`),
      source: 'parcels',
      kind: 'parcel',
    });
    await importAddresses({
      database: target,
      from: csv(`${header}-80.1310,25.7900,5,Elm St,FL,33139\n-80.1310,25.7910,5,Elm St,FL,33139\n`),
      source: 'roofs',
    });
    using opened = openAddressBook(target);
    const address = { line1: '5 Elm St', city: undefined, state: 'fl', zip: '33139' };
    const answer = await createAddressBookGeocoder(opened, zips).geocode(address);
    if (answer.status !== 'found') throw new Error(answer.status);
    expect(answer.geocode).toMatchObject({ precision: 'rooftop', longitude: -80.131 });
    expect(answer.geocode.latitude).toBeCloseTo(25.7905, 9);
    // 55.6 m from the middle of the two points, and 30 m.
    expect(answer.geocode.errorRadiusMeters).toBe(86);
  });
});
