import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitAddress } from '../address/split-address.ts';
import { geocoderCases } from '../testing/index.ts';
import { loadZipGazetteer } from '../zips/load-zip-gazetteer.ts';
import type { ZipGazetteer } from '../zips/zip-gazetteer.ts';
import { type AddressBook, openAddressBook } from './address-book.ts';
import { createAddressBookGeocoder } from './address-book-geocoder.ts';
import { importAddresses } from './import-addresses.ts';

// As OpenAddresses publishes them; the addresses are made up on real streets.
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

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-address-book-'));
  database = path('book.sqlite');
  writeFileSync(path('miami.csv'), `\ufeff${miami}`);
  await importAddresses({ database, csv: path('miami.csv'), source: 'miami', attribution: 'Miami-Dade County' });
  book = openAddressBook(database);
  zips = await loadZipGazetteer();
});
afterAll(() => {
  book.close();
  rmSync(folder, { recursive: true });
});

describe('importAddresses', () => {
  it('reports what it did with each line', async () => {
    const report = await importAddresses({ database: path('report.sqlite'), csv: csv(miami), source: 'miami' });
    expect(report).toEqual({
      source: 'miami',
      linesRead: 15,
      imported: 7,
      duplicates: 1,
      rejected: {
        no_number: 1,
        no_street: 1,
        no_coordinates: 1,
        swapped_coordinates: 1,
        outside_us: 1,
        unknown_state: 1,
        malformed_row: 1,
      },
      examples: [
        { line: 10, code: 'no_number' },
        { line: 11, code: 'no_street' },
        { line: 12, code: 'no_coordinates' },
        { line: 13, code: 'swapped_coordinates' },
        { line: 14, code: 'outside_us' },
        { line: 15, code: 'unknown_state' },
        { line: 16, code: 'malformed_row' },
      ],
      recognized: [],
    });
  });

  it('reads packed files, other orders of columns and lower case, and replaces a source of the same name', async () => {
    const file = path('packed.csv.gz');
    const target = path('packed.sqlite');
    writeFileSync(file, gzipSync('street,number,lat,lon\nElm St,12,42.37,-71.11\nElm St,14,42.371,-71.11\n'));
    await importAddresses({
      database: target,
      csv: file,
      source: 'cambridge',
      state: 'Massachusetts',
      precision: 'parcel',
    });
    await importAddresses({
      database: target,
      csv: csv('LON,LAT,NUMBER,STREET\n-71.2,42.4,16,Oak St\n'),
      source: 'other',
      state: 'ma',
    });
    const report = await importAddresses({
      database: target,
      csv: csv('LON,LAT,NUMBER,STREET\n-71.11,42.37,18,Elm St\n'),
      source: 'cambridge',
      state: 'ma',
    });
    expect(report.imported).toBe(1);
    using opened = openAddressBook(target);
    expect(opened.sources()).toEqual([
      { name: 'cambridge', precision: 'rooftop', errorRadiusMeters: 30, attribution: undefined, addresses: 1 },
      { name: 'other', precision: 'rooftop', errorRadiusMeters: 30, attribution: undefined, addresses: 1 },
    ]);
    const find = (number: string, street: string) =>
      opened.find({ number, street, city: 'Cambridge', state: 'ma' }).length;
    expect([find('12', 'Elm St'), find('18', 'Elm St'), find('16', 'Oak St')]).toEqual([0, 1, 1]);
  });

  it('leaves the book as it was when it fails or is ended', async () => {
    const before = book.find({ number: '1600', street: 'Ocean Dr', zip: '33139' });
    expect(before).toHaveLength(1);
    const broken = new Error('the disk is gone');
    async function* breaks() {
      yield Buffer.from('LON,LAT,NUMBER,STREET,REGION\n-80.1,25.8,1,A St,FL\n'.padEnd(70_000, '\n'));
      throw broken;
    }
    await expect(importAddresses({ database, csv: Readable.from(breaks()), source: 'miami' })).rejects.toBe(broken);

    const controller = new AbortController();
    const reason = new Error('enough');
    async function* hangs() {
      yield Buffer.from('LON,LAT,NUMBER,STREET,REGION\n-80.1,25.8,1,A St,FL\n');
      setTimeout(() => controller.abort(reason), 10);
      await new Promise(() => {});
    }
    await expect(
      importAddresses({ database, csv: Readable.from(hangs()), source: 'miami', signal: controller.signal }),
    ).rejects.toBe(reason);
    await expect(importAddresses({ database, csv: path('none.csv'), source: 'miami' })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(book.find({ number: '1600', street: 'Ocean Dr', zip: '33139' })).toEqual(before);
  });

  it('lets readers read while it goes on', async () => {
    const target = path('busy.sqlite');
    await importAddresses({ database: target, csv: csv(miami), source: 'miami' });
    using opened = openAddressBook(target);
    let found = 0;
    async function* slow() {
      yield Buffer.from('LON,LAT,NUMBER,STREET,REGION\n-80.1,25.8,1,A St,FL\n');
      await new Promise((resolve) => setTimeout(resolve, 20));
      found = opened.find({ number: '1600', street: 'Ocean Dr', zip: '33139' }).length;
    }
    await importAddresses({ database: target, csv: Readable.from(slow()), source: 'miami' });
    expect(found).toBe(1);
    expect(opened.find({ number: '1600', street: 'Ocean Dr', zip: '33139' })).toEqual([]);
  });

  it.each([
    ['', /The file is empty/],
    ['\n\n', /The file is empty/],
    ['a,b\n1,2\n', /no column for longitude, latitude, number, street\. Its columns are: a, b/],
    ['LON,LAT,NUMBER,STREET\n', /None of 0 lines/],
    ['LON,LAT,NUMBER,STREET\n-80.1,25.8,1,A St\n', /no_state 1.*say which it is/],
    ['LON,LAT,NUMBER,STREET,REGION\n25.8,-80.1,1,A St,FL\n', /swapped_coordinates 1/],
    [`LON,LAT,NUMBER,STREET,REGION\n-80.1,25.8,1,"A St,FL\n${'x'.repeat(200_000)}`, /None of 2 lines.*malformed_row 2/],
    ['\u0000\u0001\u0002PK\u0003\u0004', /no column for/],
  ])('refuses a file it can do nothing with (%#)', async (text, message) => {
    await expect(importAddresses({ database: path('refused.sqlite'), csv: csv(text), source: 'x' })).rejects.toThrow(
      message,
    );
  });

  it('refuses a state that is none, and a database of another kind', async () => {
    await expect(importAddresses({ database, csv: csv(miami), source: 'x', state: 'Ontario' })).rejects.toThrow(
      /"Ontario" is no state/,
    );
    const other = path('other.sqlite');
    const foreign = new DatabaseSync(other);
    foreign.exec('CREATE TABLE quote (id TEXT)');
    foreign.close();
    await expect(importAddresses({ database: other, csv: csv(miami), source: 'x' })).rejects.toThrow(
      /another database/,
    );
    expect(() => openAddressBook(other)).toThrow(/another database/);
    writeFileSync(path('text.sqlite'), 'no database at all, but a text that is long enough');
    expect(() => openAddressBook(path('text.sqlite'))).toThrow(/no address book/);
    expect(() => openAddressBook(path('missing.sqlite'))).toThrow(/import addresses first/);
  });
});

describe('the address book geocoder', () => {
  const ask = (text: string) => {
    const { address } = splitAddress(text, zips);
    if (address === undefined) throw new Error(`${text} is no address.`);
    return createAddressBookGeocoder(book).geocode(address);
  };
  const cases = geocoderCases({ create: () => createAddressBookGeocoder(book) });
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => one.run());

  it('answers an imported address by its building', async () => {
    expect(await ask('1600 Ocean Dr, Miami Beach FL 33139')).toEqual({
      status: 'found',
      geocode: {
        latitude: 25.7891,
        longitude: -80.1299,
        precision: 'rooftop',
        errorRadiusMeters: 30,
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
    '100 US-1, Miami, FL 33131',
    '100 U.S. Hwy 1, Miami FL',
    '7001 Saint Charles St Rear, Miami Beach, FL 33141',
  ])('finds %s', async (text) => {
    expect(await ask(text)).toMatchObject({ status: 'found', geocode: { precision: 'rooftop', unmatched: [] } });
  });

  it.each([
    ['1600 Ocean Dr, Miami Beach, FL 33140', /1600 OCEAN DR, MIAMI BEACH, FL 33139, whose city or ZIP code/],
    ['1600 Ocean Dr, Miami, FL 33139', /1600 OCEAN DR, MIAMI BEACH, FL 33139, whose city or ZIP code/],
    ['100 N US-1, Miami, FL', /only US HIGHWAY 1, MIAMI, FL.*another direction|is not in the address book/],
  ])('does not take %s for the house it nearly is, and says why', async (text, message) => {
    expect(await ask(text)).toMatchObject({ status: 'not_found', message: expect.stringMatching(message) });
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
    // Between 900 and 1500, 1.3 km apart; 1600 is a neighbour too, 850 m from there.
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
      csv: csv(`${header}-80.1300,25.7900,5,Elm St,FL,33139\n`),
      source: 'parcels',
      precision: 'parcel',
    });
    await importAddresses({
      database: target,
      csv: csv(`${header}-80.1310,25.7900,5,Elm St,FL,33139\n-80.1310,25.7910,5,Elm St,FL,33139\n`),
      source: 'roofs',
    });
    using opened = openAddressBook(target);
    const address = { line1: '5 Elm St', city: undefined, state: 'fl', zip: '33139' };
    const answer = await createAddressBookGeocoder(opened).geocode(address);
    if (answer.status !== 'found') throw new Error(answer.status);
    expect(answer.geocode).toMatchObject({ precision: 'rooftop', longitude: -80.131 });
    expect(answer.geocode.latitude).toBeCloseTo(25.7905, 9);
    // 55.6 m from the middle of the two points, and 30 m.
    expect(answer.geocode.errorRadiusMeters).toBe(86);
  });
});
