import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Geocoder, readAddressFields } from '@leeward/places';
import { loadZipGazetteer } from '@leeward/places/zips';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AddressBook, openAddressBook } from './file/address-book.ts';
import { importAddresses } from './import-addresses.ts';
import { createAddressBookGeocoder } from './match/address-book-geocoder.ts';

let folder: string;
let book: AddressBook;
let geocoder: Geocoder;

const houses = [
  '1180,Peachtree Street',
  '1180,Peachtree Street NW',
  '1413,State Highway #70',
  '1415,State Highway No 50',
  '3200,South St NW',
  '12,Avenue East',
  '5406,Bywater Ln',
  'N79W5406,Bywater Ln',
  '20,Ivan Allen Blvd',
  '30,Allen Plaza',
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-other-streets-'));
  const rows = houses.map((house, index) => `${-84.38 + index / 100},33.75,${house},Atlanta,GA,30303\n`);
  const database = join(folder, 'book.sqlite');
  const from = Readable.from([`LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n${rows.join('')}`]);
  await importAddresses({ database, from, source: 'houses' });
  book = openAddressBook(database);
  geocoder = createAddressBookGeocoder(book, await loadZipGazetteer());
});
afterAll(() => {
  book.close();
  rmSync(folder, { recursive: true });
});

async function houseFor(line1: string): Promise<string | undefined> {
  const { address } = readAddressFields({ line1, city: 'Atlanta', state: 'ga', zipcode: '30303' });
  const answer = await geocoder.geocode(address!);
  if (answer.status !== 'found' || answer.geocode.method !== 'address_point') return undefined;
  return answer.geocode.matchedAddress.split(', ')[0];
}

it.each([
  // The book has the house on Peachtree Street and Peachtree Street NW.
  '1180 Peachtree Street, NE',
  '1180 Peachtree Street, N.E. Tower Place',
  '1180 Peachtree St S E',
  '1413 State Highway #50',
  '1413 State Highway No. 50',
  '3200 S St NW',
  '12 Avenue E',
  'W79N5406 Bywater Ln',
  'RR 1 Box 30',
  '30 Allen Plaza, Suite 700, 20 Ivan Allen Blvd',
])('states no other house for %s', async (line1) => {
  expect(await houseFor(line1)).toBeUndefined();
});

it.each([
  ['1180 Peachtree Street, N.W. Suite 2000', '1180 Peachtree Street NW'],
  ['1413 State Route 70', '1413 State Highway #70'],
  ['1415 State Highway #50', '1415 State Highway No 50'],
  ['3200 South Street, NW', '3200 South St NW'],
  ['N79 W5406 Bywater Lane', 'N79W5406 Bywater Ln'],
  ['Apt 4 30 Allen Plaza', '30 Allen Plaza'],
])('finds %s', async (line1, house) => {
  expect(await houseFor(line1)).toBe(house);
});
