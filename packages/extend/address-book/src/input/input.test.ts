import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { loadZipGazetteer } from '@leeward/places/zips';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipOf } from '../../../../../test/support/zip-of.ts';
import { type AddressBook, openAddressBook } from '../file/address-book.ts';
import { importAddresses } from '../import-addresses.ts';
import type { ImportOptions, ImportReport } from '../import-options.ts';
import { createAddressBookGeocoder } from '../match/address-book-geocoder.ts';
import { readStreetName } from '../street/street-name.ts';
import { openZip } from './zip-archive.ts';

const fixture = fileURLToPath(
  new URL('../../../../../fixtures/tiger-addrfeat/tl_2021_30059_addrfeat.zip', import.meta.url),
);
const stem = 'tl_2021_30059_addrfeat';

let folder: string;
let parts: Record<'shp' | 'dbf' | 'prj' | 'cpg', Buffer>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-input-'));
  const zip = await openZip(fixture, 'fixture');
  const read = async (ending: string) => Buffer.from(await zip.read(`${stem}.${ending}`));
  parts = { shp: await read('shp'), dbf: await read('dbf'), prj: await read('prj'), cpg: await read('cpg') };
  zip.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
async function importFile(
  name: string,
  content: string | Uint8Array | Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ImportOptions> = {},
): Promise<{ readonly report: ImportReport; readonly book: AddressBook }> {
  count += 1;
  const place = join(folder, String(count));
  mkdirSync(place);
  const files = typeof content === 'string' || content instanceof Uint8Array ? { [name]: content } : content;
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(place, file), bytes);
  const database = join(folder, `${count}.sqlite`);
  const from =
    typeof content === 'string' || content instanceof Uint8Array || name in files ? join(place, name) : place;
  const report = await importAddresses({ database, from, source: 'test', ...options });
  return { report, book: openAddressBook(database) };
}

/** In the format of OpenAddresses' batch system. */
const feature = (number: string, more: object = {}, coordinates: unknown = [-80.1299, 25.7891]) =>
  JSON.stringify({
    type: 'Feature',
    properties: {
      hash: 'b4f5f3a1c2d3e4f5',
      number,
      street: 'OCEAN DR',
      unit: '',
      city: 'MIAMI BEACH',
      district: '',
      region: 'FL',
      postcode: '33139',
      id: '',
      ...more,
    },
    geometry: { type: 'Point', coordinates },
  });
const lines = `${['1600', '1602', '1604'].map((number) => feature(number)).join('\n')}\n`;
const oldCsv = `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH
-80.1299,25.7891,1600,OCEAN DR,,MIAMI BEACH,,FL,33139,,a1
-80.1299,25.7893,1602,OCEAN DR,,MIAMI BEACH,,FL,33139,,a2
-80.1299,25.7895,1604,OCEAN DR,,MIAMI BEACH,,FL,33139,,a3
`;
const collection = `{"type":"FeatureCollection","name":"miami","features":[\n${['1600', '1602', '1604'].map((number) => feature(number)).join(',\n')}\n]}\n`;

describe('OpenAddresses', () => {
  it.each<[string, string, string | Uint8Array]>([
    ['features a line each', 'us-fl-miami_dade-addresses-county.geojson', lines],
    ['the same, packed', 'source.geojson.gz', gzipSync(lines)],
    [
      'the same in a zip',
      'collection.zip',
      zipOf({ 'us/fl/miami_dade.geojson': lines, 'README.txt': 'hello', 'LICENSE.txt': 'x' }),
    ],
    ['one collection', 'addresses.geojson', collection],
    ['one collection, packed', 'addresses.geojson.gz', gzipSync(collection)],
    ['one collection on one line', 'addresses.json', collection.replaceAll('\n', '')],
    ['the older CSV', 'miami_dade.csv', oldCsv],
    [
      'the older CSV in a zip',
      'openaddr.zip',
      zipOf({ 'us/fl/miami_dade.csv': oldCsv, 'us/fl/miami_dade.vrt': '<x/>' }),
    ],
    ['under a name that says nothing', 'download', lines],
  ])('%s', async (_, name, content) => {
    const { report, book } = await importFile(name, content);
    expect(report).toMatchObject({ format: 'open_addresses', rowsRead: 3, houses: 3, rejected: {}, examples: [] });
    const [street] = book.streets({ core: 'ocean', state: 'fl' });
    expect(street).toMatchObject({ written: 'OCEAN DR', city: 'MIAMI BEACH', zip: '33139', isZipFromPosition: false });
    expect(book.houses(street!).map(({ number }) => number)).toEqual(['1600', '1602', '1604']);
    book.close();
  });

  it('says what its points are, and what is wrong with a feature', async () => {
    const rows = [
      feature('1', { accuracy: 2 }),
      feature('2', { accuracy: 'driveway' }),
      feature('3'),
      feature('4', {}, [0, 0]),
      feature('5', {}, [583_960, 4_507_523]),
      feature('6', {}, [25.7891, -80.1299]),
      '{"type":"Feature","properties":null,"geometry":null}',
      feature('8').replace('"Point"', '"Polygon"'),
      feature('9').slice(0, 40),
      feature('10'),
    ];
    const { report, book } = await importFile('mixed.geojson', `${rows.join('\n')}\n`, { kind: 'entrance' });
    expect(report).toMatchObject({ rowsRead: 10, houses: 4 });
    expect(report.examples.map(({ row, code }) => `${row} ${code}`)).toEqual([
      '4 zero_coordinates',
      '5 projected_coordinates',
      '6 swapped_coordinates',
      '7 malformed_row',
      '8 no_coordinates',
      '9 malformed_row',
    ]);
    expect(report.examples[1]?.message).toMatch(/degrees \(WGS 84\) were expected; "583960, 4507523"/);
    const [street] = book.streets({ core: 'ocean', state: 'fl' });
    const kinds = book.houses(street!).map(({ number, kind }) => `${number} ${kind}`);
    expect(kinds.toSorted()).toEqual(['1 parcel', '10 entrance', '2 access', '3 entrance']);
    book.close();
  });
});

describe('the National Address Database', () => {
  /** First line of `NAD_r23.txt` of the Department of Transportation. */
  const present =
    'OID_,AddNum_Pre,Add_Number,AddNum_Suf,AddNo_Full,St_PreMod,St_PreDir,St_PreTyp,St_PreSep,St_Name,St_PosTyp,St_PosDir,St_PosMod,StNam_Full,Building,Floor,Unit,Room,Seat,Addtl_Loc,SubAddress,LandmkName,County,Inc_Muni,Post_City,Census_Plc,Uninc_Comm,Nbrhd_Comm,NatAmArea,NatAmSub,Urbnztn_PR,PlaceOther,PlaceNmTyp,State,Zip_Code,Plus_4,UUID,AddAuth,AddrRefSys,Longitude,Latitude,NatGrid,Elevation,Placement,AddrPoint,Related_ID,RelateType,ParcelSrc,Parcel_ID,AddrClass,Lifecycle,Effective,Expire,DateUpdate,AnomStatus,LocatnDesc,Addr_Type,DeliverTyp,NAD_Source,DataSet_ID';
  const rowOf = (values: Readonly<Record<string, string>>) =>
    present
      .split(',')
      .map((column) => values[column] ?? '')
      .join(',');
  const palafox = {
    St_PreDir: 'North',
    St_Name: 'Palafox',
    St_PosTyp: 'Street',
    County: 'Escambia',
    Inc_Muni: 'Pensacola',
    Post_City: 'PENSACOLA',
    State: 'FL',
    Zip_Code: '32502',
    Longitude: '-87.2150',
    Latitude: '30.4120',
    Lifecycle: 'Active',
  };
  it('reads the current columns, with the kind from Placement and retirement from Lifecycle', async () => {
    const rows = [
      { Add_Number: '100', AddNo_Full: '100', StNam_Full: 'North Palafox Street', Placement: 'Structure - Rooftop' },
      {
        Add_Number: '102',
        AddNum_Suf: 'A',
        AddNo_Full: '102 A',
        Post_City: 'Not stated',
        Placement: 'Structure - Entrance',
        Lifecycle: '',
      },
      { Add_Number: '104', Inc_Muni: 'Unincorporated', Placement: 'Parcel - Centroid' },
      { Add_Number: '106', Placement: 'Property Access' },
      { Add_Number: '108', Placement: 'Linear Geocode' },
      { Add_Number: '110', Placement: 'Unknown' },
      { Add_Number: '112', Placement: 'Structure - Rooftop', Lifecycle: 'Retired' },
    ].map((values) => rowOf({ ...palafox, ...values }));
    const { report, book } = await importFile(
      'NAD_r23.zip',
      zipOf({ 'TXT/NAD_r23.txt': `${present}\n${rows.join('\n')}\n`, 'TXT/schema.ini': '[NAD_r23.txt]' }),
    );
    expect(report).toMatchObject({
      format: 'national_address_database',
      rowsRead: 7,
      houses: 6,
      rejected: { retired: 1 },
    });
    const houses = book
      .streets({ core: 'palafox', state: 'fl' })
      .flatMap((street) => book.houses(street).map(({ number, kind }) => `${number} ${kind} ${street.city}`));
    expect(houses.toSorted()).toEqual([
      '100 rooftop PENSACOLA',
      '102A entrance Pensacola',
      '104 parcel PENSACOLA',
      '106 access PENSACOLA',
      '108 interpolated PENSACOLA',
      '110 parcel PENSACOLA',
    ]);
    book.close();
  });

  it('reads its former columns', async () => {
    // First line and a row of the first release.
    const text = `OID,State,County,Inc_Muni,Uninc_Comm,Nbrhd_Comm,Post_Comm,Zip_Code,Plus_4,Bulk_Zip,Bulk_Plus4,StN_PreMod,StN_PreDir,StN_PreTyp,StN_PreSep,StreetName,StN_PosTyp,StN_PosDir,StN_PosMod,AddNum_Pre,Add_Number,AddNum_Suf,LandmkPart,LandmkName,Building,Floor,Unit,Room,Addtl_Loc,Milepost,Longitude,Latitude,NatGrid_Coord,GUID,Addr_Type,Placement,Source,AddAuth,UniqWithin,LastUpdate,Effective,Expired
-1,FL,Escambia,Pensacola,,,Pensacola,32502,,,,,W,,,Garden,St,,,,100,,,,,,,,,,-87.215000000000003,30.411999999999999,16RDU7932964563,{D3BB340C-D14D-4D21-A391-F4C67E87B79D},Residential,Structure,A county,001,,2/1/2017 0:00:00,,
`;
    const { report, book } = await importFile('nad.csv', text);
    expect(report).toMatchObject({ format: 'national_address_database', houses: 1 });
    expect(book.streets({ core: readStreetName('W Garden St')!.core, state: 'fl' })[0]).toMatchObject({
      written: 'W Garden St',
      city: 'Pensacola',
    });
    book.close();
  });
});

describe('any table', () => {
  const text = 'PRE;NAME;TYPE;NR;X_COORD;Y_COORD;TOWN;PLZ\nN;Cañon;Ave;12;-71.11;42.37;Cambridge;2139\n';
  const columns = {
    number: ['NR'],
    street: ['PRE', 'NAME', 'TYPE'],
    longitude: ['X_COORD'],
    latitude: ['Y_COORD'],
    city: ['TOWN'],
    zip: ['PLZ'],
  };
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['Latin-1', Buffer.from(text, 'latin1')],
  ])('with a map of its columns, in %s, and a ZIP code that lost its zero', async (_, bytes) => {
    const { report, book } = await importFile('houses.csv', bytes, { columns, state: 'ma' });
    expect(report).toMatchObject({ format: 'table', houses: 1, zipsByPosition: 0 });
    const zips = await loadZipGazetteer();
    const answer = await createAddressBookGeocoder(book, zips).geocode({
      line1: '12 N Canon Avenue',
      city: 'Cambridge',
      state: 'ma',
      zip: '02139',
    });
    expect(answer).toMatchObject({ status: 'found', geocode: { precision: 'rooftop', zip: '02139' } });
    book.close();
  });

  it('with units that were left in the street', async () => {
    const streets = ['Main St Apt 4', 'Main Street Bldg B Unit 2', 'MAIN ST # 7', 'County Road No 5'];
    const rows = streets.map((street, index) => `${index + 1},${street},-71.0589,42.3601,Boston,2108,MA`);
    const { report, book } = await importFile(
      'units.csv',
      `NUMBER,STREET,LON,LAT,CITY,POSTCODE,REGION\n${rows.join('\n')}\n`,
    );
    expect(report).toMatchObject({ houses: 4, zipsByPosition: 0 });
    const written = book.streets({ core: 'main', state: 'ma' }).map((street) => street.written);
    expect(written.toSorted()).toEqual(['MAIN ST', 'Main St', 'Main Street']);
    expect(book.streets({ core: readStreetName('County Road No 5')!.core, state: 'ma' })).toHaveLength(1);
    book.close();
  });

  it('with number and street in one column', async () => {
    const one = 'address,lat,lon,city,state,zip\n"1600 Ocean Dr, Apt 4",25.7891,-80.1299,Miami Beach,FL,33139\n';
    const { report, book } = await importFile('lines.csv', one);
    expect(report).toMatchObject({ houses: 1 });
    expect(book.streets({ core: readStreetName('Ocean Dr')!.core, state: 'fl' })).toHaveLength(1);
    book.close();
  });

  it('names a column of the map that is not there', async () => {
    await expect(importFile('houses.csv', text, { columns: { ...columns, city: ['ORT'] } })).rejects.toThrow(
      /no column "ORT" for city\. Its columns are: PRE, NAME/,
    );
  });
});

describe('TIGER/Line', () => {
  const all = () => ({
    [`${stem}.shp`]: parts.shp,
    [`${stem}.dbf`]: parts.dbf,
    [`${stem}.prj`]: parts.prj,
    [`${stem}.cpg`]: parts.cpg,
  });

  it('reads a shapefile, a zip, and a folder of counties', async () => {
    const beside = await importFile(`${stem}.shp`, all());
    const zipped = await importFile('county.zip', readFileSync(fixture));
    const several = await importFile('folder', { ...all(), 'b.zip': zipOf(all()) });
    expect([beside, zipped, several].map(({ report }) => [report.files, report.rowsRead, report.ranges])).toEqual([
      [1, 677, 878],
      [1, 677, 878],
      [2, 1354, 878],
    ]);
    for (const { book } of [beside, zipped, several]) book.close();
  });

  /** Changes a field of a record of the .dbf. */
  function changed(row: number, column: string, text: string): Buffer {
    const bytes = Buffer.from(parts.dbf);
    let offset = 1;
    for (let at = 32; bytes[at] !== 0x0d; at += 32) {
      const length = bytes[at + 16]!;
      const name = bytes.toString('latin1', at, at + 11).split('\0')[0];
      if (name === column) {
        const start = bytes.readUInt16LE(8) + (row - 1) * bytes.readUInt16LE(10) + offset;
        bytes.write(text.padEnd(length), start, length, 'latin1');
      }
      offset += length;
    }
    return bytes;
  }

  it.each([
    ['PARITYL', 'E', 'parity_differs', 'even numbers were expected on the left side, not "1101" to "1199".'],
    ['LTOHN', '1198', 'parity_differs', 'odd numbers were expected on the left side, not "1101" to "1198".'],
    ['LTOHN', 'A17', 'unreadable_range', 'house numbers were expected on the left side, not "1101" to "A17".'],
    ['LFROMHN', '', 'unreadable_range', 'house numbers were expected on the left side, not "" to "1199".'],
    ['FULLNAME', '', 'no_street', 'the name of a street was expected in FULLNAME, not "".'],
  ])('names a range whose %s is %j', async (column, text, code, message) => {
    const { report, book } = await importFile(`${stem}.shp`, { ...all(), [`${stem}.dbf`]: changed(1, column, text) });
    expect(report.rejected).toEqual({ [code]: 1 });
    expect(report.examples[0]).toEqual({ file: `${stem}.shp`, row: 1, code, message });
    book.close();
  });

  it('reads names as Latin-1 without a .cpg file', async () => {
    const { [`${stem}.cpg`]: _, ...rest } = all();
    const { book } = await importFile(`${stem}.shp`, { ...rest, [`${stem}.dbf`]: changed(1, 'FULLNAME', 'Peñón Rd') });
    expect(book.streets({ core: 'penon', state: 'mt' })).toMatchObject([{ written: 'Peñón Rd' }]);
    book.close();
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a cut .shp',
      () => importFile(`${stem}.shp`, { ...all(), [`${stem}.shp`]: parts.shp.subarray(0, 90_000) }),
      /\.shp has 90000 bytes, but its header declares 156268. Check that the download is complete/,
    ],
    [
      'a cut .dbf',
      () => importFile(`${stem}.shp`, { ...all(), [`${stem}.dbf`]: parts.dbf.subarray(0, 90_000) }),
      /its \.dbf has 90000 bytes, but its header declares/,
    ],
    ['no .dbf', () => importFile(`${stem}.shp`, { [`${stem}.shp`]: parts.shp }), /has no \.dbf next to it/],
    ['a part', () => importFile(`${stem}.dbf`, all()), /is part of a shapefile: import its \.shp/],
    [
      'a projection',
      () => importFile(`${stem}.shp`, { ...all(), [`${stem}.prj`]: `PROJCS["NAD83 / Montana",${parts.prj}]` }),
      /is projected .*degrees were expected/,
    ],
    [
      'another kind of shapefile',
      () =>
        importFile(`${stem}.shp`, {
          ...all(),
          [`${stem}.dbf`]: Buffer.from(parts.dbf.toString('latin1').replace('LFROMHN', 'LFROMXX'), 'latin1'),
        }),
      /no column LFROMHN: an ADDRFEAT file of TIGER\/Line was expected\. Its columns are: TLID/,
    ],
    [
      'a zip of two layers',
      () => importFile('two.zip', zipOf({ ...all(), 'b.shp': parts.shp })),
      /two\.zip has 2 layers: .*Choose one/,
    ],
    [
      'a zip of nothing',
      () => importFile('none.zip', zipOf({ 'a.pdf': 'x' })),
      /none\.zip has no layer to import\. Supported are \.shp, \.geojson and \.csv; it has a\.pdf/,
    ],
    [
      'a cut zip',
      () => importFile('cut.zip', readFileSync(fixture).subarray(0, 50_000)),
      /cut\.zip cannot be read as a zip .*cut off/,
    ],
    ['a page instead of a zip', () => importFile('page.zip', '<html>Not found</html>'), /page\.zip is not a zip file/],
    ['an empty folder', () => importFile('folder', { 'notes.md': 'x' }), /has no file to import/],
    [
      'a folder of two kinds',
      () => importFile('folder', { 'a.csv': oldCsv, 'b.zip': zipOf(all()) }),
      /b\.zip has a different format \(tiger\) than the files before it \(open_addresses\)/,
    ],
    ['another file', () => importFile('page.html', '<html><p>Not found</p></html>'), /no column for longitude/],
    [
      'a picture',
      () => importFile('map.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')),
      /map\.png is not a text, zip or shapefile/,
    ],
    [
      'features cut within one',
      () => importFile('cut.geojson', lines.slice(0, -60)),
      /cut\.geojson ends inside row 3: .*may be incomplete/,
    ],
    [
      'a table cut within a row',
      () => importFile('cut.csv', oldCsv.slice(0, -20)),
      /cut\.csv ends inside row 4: .*may be incomplete/,
    ],
    [
      'a collection cut within a feature',
      () => importFile('cut.geojson', collection.slice(0, -60)),
      /cut\.geojson cannot be read behind feature 2 .*cut off/,
    ],
    [
      'a packed file cut off',
      () => importFile('cut.csv.gz', gzipSync(oldCsv.repeat(50)).subarray(0, 150)),
      /compressed with gzip and cannot be decompressed: it is damaged or truncated/,
    ],
  ])('rejects %s and leaves the book unchanged', async (_, run, message) => {
    await expect(run()).rejects.toThrow(message);
    const database = join(folder, `${count}.sqlite`);
    // No book exists if the file could not be opened.
    let sources: readonly unknown[] = [];
    try {
      using book = openAddressBook(database);
      sources = book.sources();
    } catch (error) {
      expect((error as Error).message).toMatch(/There is no address book/);
    }
    expect(sources).toEqual([]);
  });

  it('takes a layer of a zip that is named', async () => {
    const { report, book } = await importFile('two.zip', zipOf({ ...all(), 'b.csv': oldCsv }), { layer: 'b.csv' });
    expect(report).toMatchObject({ format: 'open_addresses', houses: 3 });
    book.close();
  });
});

describe('a zip that unpacks to too much', () => {
  /** A zip of one file that declares this unpacked size. */
  const declaring = (content: Buffer, bytes: number) => {
    const zip = zipOf({ 'a.csv': deflateRawSync(content) });
    const directory = zip.indexOf('PK\u0001\u0002', 0, 'latin1');
    // Deflated, in the file's header and in the directory.
    zip.writeUInt16LE(8, 8);
    zip.writeUInt16LE(8, directory + 10);
    zip.writeUInt32LE(bytes, directory + 24);
    return zip;
  };

  it.each([
    ['by what it declares', 0xfff0_0000, /a\.csv unpacks from .* bytes to .*, more than 200 times as many/],
    ['by what it comes to', 10, /cannot be read as a zip|too many bytes/],
  ])('is refused %s', async (_, bytes, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'leeward-zip-'));
    try {
      const path = join(folder, 'bomb.zip');
      writeFileSync(path, declaring(Buffer.alloc(100_000, 'a,b\n'), bytes));
      const zip = await openZip(path, 'bomb.zip');
      const whole = async () => Buffer.concat(await (await zip.open('a.csv')).toArray());
      await expect(whole()).rejects.toThrow(message);
      zip.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reports progress before its first row', async () => {
    const seen: number[] = [];
    await importFile('county.zip', readFileSync(fixture), { onProgress: ({ rowsRead }) => void seen.push(rowsRead) });
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBeGreaterThan(0);
  });

  it('reports progress while it is unpacked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'leeward-zip-'));
    try {
      const path = join(folder, 'long.zip');
      const bytes = 40 * 2 ** 20;
      writeFileSync(path, declaring(Buffer.alloc(bytes), bytes));
      const zip = await openZip(path, 'long.zip');
      let times = 0;
      expect((await zip.read('a.csv', () => times++)).length).toBe(bytes);
      expect(times).toBe(2);
      zip.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
