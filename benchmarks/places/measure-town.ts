import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createAddressBookGeocoder,
  importAddresses,
  openAddressBook,
  sampleRadii,
  summarizeRadii,
} from '@leeward/address-book';
import type { ZipGazetteer } from '@leeward/places/zips';
import { createRandom, pick } from '../../test/support/random.ts';
import { median, type Row } from '../report.ts';
import type { Town, TownHouse } from './town.ts';
import { writeTiger } from './write-tiger.ts';

const MISSING_COUNT = 4_000;

interface Measured {
  readonly rows: readonly Row[];
  readonly ratios: Readonly<Record<string, number>>;
}

/** Imports a town's points and ranges. Returns time and size. */
export async function importTown(
  town: Town,
  {
    database,
    folder,
    name,
    seed,
  }: { readonly database: string; readonly folder: string; readonly name: string; readonly seed: number },
): Promise<readonly Row[]> {
  const random = createRandom(seed + 2);
  mkdirSync(folder);
  // A tenth of the points lacks its city, a tenth its ZIP code, a twentieth both.
  const points = town.houses
    .filter(({ isInFile }) => isInFile)
    .map(({ number, street, city, zip, latitude, longitude, recorded = [longitude, latitude] }) => {
      const lacks = random();
      return JSON.stringify({
        type: 'Feature',
        properties: {
          number: String(number),
          street: street.toUpperCase(),
          city: lacks < 0.1 || lacks > 0.95 ? '' : city.toUpperCase(),
          region: 'FL',
          postcode: (lacks >= 0.1 && lacks < 0.2) || lacks > 0.95 ? '' : zip,
        },
        geometry: { type: 'Point', coordinates: recorded },
      });
    });
  writeFileSync(join(folder, 'points.geojson'), `${points.join('\n')}\n`);
  writeTiger(join(folder, 'tl_2025_12086_addrfeat'), town.ranges);
  const rows: Row[] = [];
  for (const [what, from] of [
    ['points', 'points.geojson'],
    ['ranges', 'tl_2025_12086_addrfeat.shp'],
  ] as const) {
    const begun = performance.now();
    const source = `us/fl/${what}`;
    const done = await importAddresses({ database, from: join(folder, from), source, kind: town.kind });
    const seconds = (performance.now() - begun) / 1_000;
    const count = (done.houses + done.ranges).toLocaleString('en-US');
    rows.push({ name: `${name}: import of ${count} ${what}`, median: seconds, unit: 's' });
  }
  const bytes = statSync(database).size;
  rows.push({ name: `${name}: size of the book`, median: bytes / 1e6, unit: 'MB' });
  const perRecord = bytes / (points.length + 2 * town.ranges.length);
  rows.push({ name: `${name}: … a house or range`, median: perRecord, unit: 'bytes' });
  return rows;
}

interface Tally {
  readonly errors: number[];
  readonly radii: number[];
  held: number;
  elsewhere: number;
}

/** Looks up a tenth of the houses, and nonexistent addresses. */
export async function measureTown(
  town: Town,
  {
    database,
    zips,
    name,
    seed,
  }: { readonly database: string; readonly zips: ZipGazetteer; readonly name: string; readonly seed: number },
): Promise<Measured> {
  using book = openAddressBook(database);
  const geocoder = createAddressBookGeocoder(book, zips);
  const random = createRandom(seed + 1);
  const ask = ({ number, street, city, zip }: Pick<TownHouse, 'number' | 'street' | 'city' | 'zip'>) =>
    geocoder.geocode({ line1: `${number} ${street}`, city, state: 'fl', zip });
  const rows: Row[] = [];
  const ratios: Record<string, number> = {};
  const add = (what: string, value: number, unit: string) =>
    rows.push({ name: `${name}: ${what}`, median: value, unit });

  const asked = Array.from({ length: town.houses.length / 10 }, () => pick(random, town.houses));
  const tallies = new Map<string, Tally>();
  const times: number[] = [];
  let processorMs = process.cpuUsage().user;
  for (const house of asked) {
    const begun = performance.now();
    const answer = await ask(house);
    times.push((performance.now() - begun) * 1e3);
    const isRural = (zips.find(house.zip)?.errorRadiusMeters ?? 0) > 6_000;
    const key = answer.status === 'found' ? `${answer.geocode.method}, ${isRural ? 'country' : 'town'}` : answer.status;
    const tally = tallies.get(key) ?? { errors: [], radii: [], held: 0, elsewhere: 0 };
    tallies.set(key, tally);
    if (answer.status !== 'found') {
      tally.errors.push(0);
      continue;
    }
    const { geocode } = answer;
    const error = metersBetween(house, geocode);
    tally.errors.push(error);
    tally.radii.push(geocode.errorRadiusMeters);
    if (error <= geocode.errorRadiusMeters) tally.held += 1;
    else if (isOther(geocode, house)) tally.elsewhere += 1;
  }
  processorMs = (process.cpuUsage().user - processorMs) / 1e3;
  add('one address asked for, median', median(times), 'µs');
  add('… 99 %', quantile(times, 0.99), 'µs');
  add('… processor time', (processorMs / asked.length) * 1e3, 'µs');
  for (const [key, { errors, radii, held, elsewhere }] of [...tallies].toSorted()) {
    add(`${key}: answers`, errors.length, '');
    if (radii.length === 0) continue;
    add(`${key}: off, median`, quantile(errors, 0.5), 'm');
    add(`${key}: off, 95 %`, quantile(errors, 0.95), 'm');
    add(`${key}: radius, median`, quantile(radii, 0.5), 'm');
    add(`${key}: on another street or ZIP code, beyond the radius`, elsewhere, '');
    ratios[`${name}: held by the radius: ${key}`] = held / errors.length;
  }
  rows.push(...(await askMissing(town, { ask, zips, random, name })));
  for (const { method, setting, size, factor } of summarizeRadii(sampleRadii(book, zips))) {
    ratios[`${name}: measured: ${method}, ${setting}, ${size}: radius ÷ span`] = factor;
  }
  return { rows, ratios };
}

const befores = ['N', 'S', 'E', 'W'];

/** A missing number, a name from another ZIP code, another direction or suffix, or a neighbour's ZIP code. */
async function askMissing(
  town: Town,
  {
    ask,
    zips,
    random,
    name,
  }: {
    readonly ask: (
      house: Pick<TownHouse, 'number' | 'street' | 'city' | 'zip'>,
    ) => ReturnType<ReturnType<typeof createAddressBookGeocoder>['geocode']>;
    readonly zips: ZipGazetteer;
    readonly random: () => number;
    readonly name: string;
  },
): Promise<readonly Row[]> {
  const exists = new Set(town.houses.map(({ number, street, zip }) => `${number} ${street} ${zip}`));
  const streets = new Set(town.houses.map(({ street, zip }) => `${street} ${zip}`));
  const zipsOfTown = [...new Set(town.houses.map(({ zip }) => zip))];
  const outcomes = new Map<string, number>();
  let wrong = 0;
  for (let tried = 0; tried < MISSING_COUNT; ) {
    const house = pick(random, town.houses);
    const kind = tried % 4;
    const [before, ...rest] = house.street.split(' ');
    const turned = befores.includes(before!) ? rest.join(' ') : `${pick(random, befores)} ${house.street}`;
    const elsewhere = zips.find(pick(random, zipsOfTown))!;
    const missing =
      kind === 0
        ? { ...house, number: house.number + 2 * Math.ceil(random() * 30) }
        : kind === 1
          ? { ...house, street: turned }
          : kind === 2
            ? { ...house, street: house.street.replace(/\w+$/, pick(random, ['St', 'Ave', 'Dr', 'Rd', 'Ln', 'Ct'])) }
            : { ...house, zip: elsewhere.zip, city: elsewhere.city! };
    if (exists.has(`${missing.number} ${missing.street} ${missing.zip}`)) continue;
    tried += 1;
    const answer = await ask(missing);
    outcomes.set(answer.status, (outcomes.get(answer.status) ?? 0) + 1);
    // No radius can contain an address without a street.
    const isThere = streets.has(`${missing.street} ${missing.zip}`);
    if (answer.status === 'found' && (isOther(answer.geocode, missing) || !isThere)) wrong += 1;
  }
  const all = `${MISSING_COUNT.toLocaleString('en-US')} that do not exist`;
  return [
    ...[...outcomes].map(([status, many]) => ({ name: `${name}: ${all}: ${status}`, median: many, unit: '' })),
    { name: `${name}: ${all}: by another street or ZIP code`, median: wrong, unit: '' },
  ];
}

/** True if an answer is on another street or in another ZIP code than the house. */
function isOther(
  { matchedAddress, zip }: { readonly matchedAddress: string; readonly zip?: string | undefined },
  house: Pick<TownHouse, 'street' | 'zip'>,
): boolean {
  const street = matchedAddress.split(',')[0]!.replace(/^\d+ /, '');
  return street.toLowerCase() !== house.street.toLowerCase() || (zip !== undefined && zip !== house.zip);
}

export function metersBetween(
  a: { readonly latitude: number; readonly longitude: number },
  b: { readonly latitude: number; readonly longitude: number },
): number {
  const eastward = Math.cos((a.latitude * Math.PI) / 180);
  return 111_195 * Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * eastward);
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
