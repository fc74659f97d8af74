import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Address, Geocoder } from '@leeward/places';
import { sphericalDistanceMeters } from '@leeward/places';
import { loadZipGazetteer } from '@leeward/places/zips';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AddressBook, openAddressBook } from './file/address-book.ts';
import { importAddresses } from './import-addresses.ts';
import { createAddressBookGeocoder } from './match/address-book-geocoder.ts';

/** Number of houses that the book lacks; LEEWARD_MISSING_HOUSES overrides it. */
const missingCount = Number(process.env.LEEWARD_MISSING_HOUSES ?? 500);
const seed = Number(process.env.LEEWARD_SEED ?? 7);

interface House {
  readonly number: string;
  readonly street: string;
  readonly city: string;
  readonly zip: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly isInBook: boolean;
}

let folder: string;
let book: AddressBook;
let geocoder: Geocoder;
const town = generateTown(Math.max(1, Math.ceil(missingCount / 1_500)));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-missing-houses-'));
  const rows = town
    .filter(({ isInBook }) => isInBook)
    .map((one) => `${one.longitude},${one.latitude},${one.number},${one.street},${one.city},FL,${one.zip}\n`);
  const database = join(folder, 'town.sqlite');
  const from = Readable.from([Buffer.from(`LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n${rows.join('')}`)]);
  await importAddresses({ database, from, source: 'town' });
  book = openAddressBook(database);
  geocoder = createAddressBookGeocoder(book, await loadZipGazetteer());
});
afterAll(() => {
  book.close();
  rmSync(folder, { recursive: true });
});

it('never answers a missing house with another, and its radius contains the house in 93 % of cases', {
  timeout: 300_000,
}, async () => {
  const missing = shuffled(town.filter(({ isInBook }) => !isInBook)).slice(0, missingCount);
  expect(missing).toHaveLength(missingCount);
  // Recorded addresses without their city or without their ZIP code.
  const borne = new Set(
    town.filter(({ isInBook }) => isInBook).flatMap((house) => [2, 3].map((index) => wordsOf(addressOf(house, index)))),
  );
  const wrong: unknown[] = [];
  const radii: number[] = [];
  let held = 0;
  for (const [index, house] of missing.entries()) {
    const answer = await geocoder.geocode(addressOf(house, index));
    if (answer.status !== 'found') continue;
    const { precision, method, errorRadiusMeters, zip, matchedAddress } = answer.geocode;
    // Without city or ZIP code, another recorded house can have the same address.
    if (method === 'address_point' && index % 4 > 1 && borne.has(wordsOf(addressOf(house, index)))) continue;
    const offMeters = sphericalDistanceMeters(house, answer.geocode);
    radii.push(errorRadiusMeters);
    if (offMeters <= errorRadiusMeters) held += 1;
    const isSameStreet = [house.street, `${house.number} ${house.street}`].includes(matchedAddress.split(',')[0]!);
    if (precision === 'rooftop' || zip !== house.zip || !isSameStreet) {
      wrong.push({ house, asked: addressOf(house, index), answer, offMeters });
    }
  }
  radii.sort((a, b) => a - b);
  if (process.env.LEEWARD_MISSING_HOUSES !== undefined) {
    const quantile = (share: number) => radii[Math.floor(radii.length * share)];
    process.stdout.write(
      `${missing.length} missing houses of ${town.length}: ${radii.length} estimated, ${held} within their radius, ${quantile(0.5)} m at the median, ${quantile(0.95)} m at the 95th percentile; ${wrong.length} wrong\n`,
    );
  }
  expect(wrong.length, JSON.stringify(wrong.slice(0, 3))).toBe(0);
  expect(held).toBeGreaterThan(radii.length * 0.93);
  // Guards against a geocoder that rarely answers.
  expect(radii.length).toBeGreaterThan(missing.length * 0.35);
  expect(radii[Math.floor(radii.length / 2)]).toBeLessThan(400);
});

it('finds each house that is there', { timeout: 300_000 }, async () => {
  const known = shuffled(town.filter(({ isInBook }) => isInBook)).slice(0, missingCount);
  for (const house of known) {
    const answer = await geocoder.geocode(addressOf(house, 0));
    expect(answer, JSON.stringify(house)).toMatchObject({
      status: 'found',
      geocode: { precision: 'rooftop', zip: house.zip, unmatched: [] },
    });
    if (answer.status === 'found') expect(sphericalDistanceMeters(house, answer.geocode)).toBeLessThan(1);
  }
});

function addressOf({ number, street, city, zip }: House, index: number): Address {
  const form = index % 4;
  return {
    line1: `${number} ${street}`,
    city: form === 2 ? undefined : city,
    state: 'fl',
    zip: form === 3 ? undefined : zip,
  };
}

function wordsOf({ line1, city, zip }: Address): string {
  return `${line1}, ${city ?? ''} ${zip ?? ''}`;
}

/**
 * Towns of two cities in three ZIP codes, one of them shared. Names recur with other suffixes and directions and in other ZIP codes.
 * Streets bend, number by twos or fours, have two sides, gaps and letters; a few are missing from the book.
 */
function generateTown(count: number): readonly House[] {
  const random = createRandom(seed);
  const names = ['Ocean', 'Oceans', 'Main', 'Palm', 'Palms', 'Saint Charles', '7th', '17th', 'Lake', 'Maine'];
  const variants = ['St', 'Ave', 'Dr'].flatMap((suffix) => ['', 'N ', 'S '].map((before) => [before, suffix] as const));
  const places = ['Ponce', 'Arden'].flatMap(
    (city, index) =>
      [
        [city, 0],
        [city, index + 1],
      ] as const,
  );
  const houses: House[] = [];
  for (let townIndex = 0; townIndex < count; townIndex += 1) {
    for (const [city, zipIndex] of places) {
      const zip = String(33_000 + townIndex * 3 + zipIndex);
      for (const name of names) {
        for (const [before, suffix] of variants) {
          if (random() < 0.6) continue;
          const isKnown = random() > 0.1;
          const step = random() < 0.5 ? 2 : 4;
          let number = 100 + 2 * Math.floor(random() * 20);
          let [x, y, heading, gap] = [random() * 9_000, random() * 9_000, random() * 6.3, 0];
          const bend = (random() - 0.5) * 0.06;
          const length = 15 + Math.floor(random() * 40);
          for (let index = 0; index < length; index += 1) {
            number += random() < 0.05 ? 20 : step;
            const meters = 15 + random() * 10;
            x += Math.cos(heading) * meters;
            y += Math.sin(heading) * meters;
            heading += bend;
            if (gap === 0 && random() < 0.05) gap = 3 + Math.floor(random() * 6);
            else if (gap > 0) gap -= 1;
            for (const side of [0, 1]) {
              const [offX, offY] = [Math.sin(heading) * (15 - 30 * side), -Math.cos(heading) * (15 - 30 * side)];
              houses.push({
                number: `${number + side}${random() < 0.02 ? 'A' : ''}`,
                street: `${before}${name} ${suffix}`,
                city,
                zip,
                latitude: 27 + townIndex * 0.1 + (y + offY) / 111_195,
                longitude: -81 + (x + offX) / (111_195 * Math.cos((27 * Math.PI) / 180)),
                isInBook: isKnown && gap === 0 && random() > 0.2,
              });
            }
          }
        }
      }
    }
  }
  return houses;
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  const random = createRandom(seed + 1);
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Park and Miller's generator. */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
