/**
 * `npm run bench -- places [--quick] [--json FILE]`: an invented town of 200,000 addresses, imported and asked for. Time and
 * size of the imports; by each way of finding a house how far off it is and how many radii hold it; and of addresses that do not
 * exist, how many are answered by another street or ZIP code with a radius that does not hold them.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createAddressBookGeocoder,
  importAddresses,
  openAddressBook,
  sampleRadii,
  summarizeRadii,
} from '@leeward/places/address-book';
import { loadZipGazetteer } from '@leeward/places/zips';
import { createRandom, pick } from '../random.ts';
import { type Row, report } from '../report.ts';
import { inventTown, type TownHouse } from './town.ts';
import { writeTiger } from './write-tiger.ts';

const args = process.argv.slice(2);
const count = args.includes('--quick') ? 20_000 : 200_000;
const asked = count / 10;
const seed = 20_261_122;
const missingCount = 4_000;
const rows: Row[] = [];
const ratios: Record<string, number> = {};
const add = (name: string, median: number, unit: string) => rows.push({ name, median, unit });

const folder = mkdtempSync(join(tmpdir(), 'leeward-town-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const zips = await loadZipGazetteer();
const town = inventTown(zips, count, seed);
const random = createRandom(seed + 1);

/** A tenth of the points lacks its city, a tenth its ZIP code, a twentieth both. */
const points = town.houses
  .filter(({ isInFile }) => isInFile)
  .map(({ number, street, city, zip, latitude, longitude }) => {
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
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    });
  });
writeFileSync(join(folder, 'points.geojson'), `${points.join('\n')}\n`);
writeTiger(join(folder, 'tl_2025_12086_addrfeat'), town.ranges);

const database = join(folder, 'book.sqlite');
for (const [name, from, source] of [
  ['points', 'points.geojson', 'us/fl/points'],
  ['ranges', 'tl_2025_12086_addrfeat.shp', 'us/fl/ranges'],
] as const) {
  const begun = performance.now();
  const done = await importAddresses({ database, from: join(folder, from), source });
  add(
    `import of ${(done.houses + done.ranges).toLocaleString('en-US')} ${name}`,
    (performance.now() - begun) / 1000,
    's',
  );
}
const bytes = statSync(database).size;
add('size of the book', bytes / 1e6, 'MB');
add('… a house or range', bytes / (points.length + 2 * town.ranges.length), 'bytes');

const book = openAddressBook(database);
const geocoder = createAddressBookGeocoder(book, zips);

interface Tally {
  readonly errors: number[];
  readonly radii: number[];
  held: number;
  elsewhere: number;
}
const tallies = new Map<string, Tally>();
const distance = (a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }) =>
  111_195 * Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180));
const isSameStreet = (matched: string, { street }: Pick<TownHouse, 'street'>) =>
  matched.split(',')[0]!.replace(/^\d+ /, '').toLowerCase() === street.toLowerCase();

const befores = ['N', 'S', 'E', 'W'];
const ask = ({ number, street, city, zip }: Pick<TownHouse, 'number' | 'street' | 'city' | 'zip'>) =>
  geocoder.geocode({ line1: `${number} ${street}`, city, state: 'fl', zip });

const begun = performance.now();
let answered = 0;
for (let turn = 0; turn < asked; turn += 1) {
  const house = pick(random, town.houses);
  const answer = await ask(house);
  answered += 1;
  const isRural = (zips.find(house.zip)?.errorRadiusMeters ?? 0) > 6_000;
  const key = answer.status === 'found' ? `${answer.geocode.method}, ${isRural ? 'country' : 'town'}` : answer.status;
  const tally = tallies.get(key) ?? { errors: [], radii: [], held: 0, elsewhere: 0 };
  tallies.set(key, tally);
  if (answer.status !== 'found') {
    tally.errors.push(0);
    continue;
  }
  const { geocode } = answer;
  const error = distance(house, geocode);
  tally.errors.push(error);
  tally.radii.push(geocode.errorRadiusMeters);
  if (error <= geocode.errorRadiusMeters) tally.held += 1;
  else if (!isSameStreet(geocode.matchedAddress, house) || (geocode.zip !== undefined && geocode.zip !== house.zip))
    tally.elsewhere += 1;
}
add('one address asked for', ((performance.now() - begun) / answered) * 1e3, 'µs');
const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
for (const [key, { errors, radii, held, elsewhere }] of [...tallies].toSorted()) {
  add(`${key}: answers`, errors.length, '');
  if (radii.length === 0) continue;
  add(`${key}: off, median`, quantile(errors, 0.5), 'm');
  add(`${key}: off, 95 %`, quantile(errors, 0.95), 'm');
  add(`${key}: radius, median`, quantile(radii, 0.5), 'm');
  add(`${key}: on another street or ZIP code, beyond the radius`, elsewhere, '');
  ratios[`held by the radius: ${key}`] = held / errors.length;
}

/** A number that no house has, a name that is in another ZIP code alone, another direction or suffix, a neighbour's ZIP code. */
const exists = new Set(town.houses.map(({ number, street, zip }) => `${number} ${street} ${zip}`));
const streets = new Set(town.houses.map(({ street, zip }) => `${street} ${zip}`));
const zipsOfTown = [...new Set(town.houses.map(({ zip }) => zip))];
let wrong = 0;
let tried = 0;
const outcomes = new Map<string, number>();
while (tried < missingCount) {
  const house = pick(random, town.houses);
  const kind = tried % 4;
  const [before, ...rest] = house.street.split(' ');
  const turned = befores.includes(before!) ? rest.join(' ') : `${pick(random, ['N', 'S', 'E', 'W'])} ${house.street}`;
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
  if (answer.status !== 'found') continue;
  const { geocode } = answer;
  const isThere = streets.has(`${missing.street} ${missing.zip}`);
  const isOther =
    !isSameStreet(geocode.matchedAddress, missing) || (geocode.zip !== undefined && geocode.zip !== missing.zip);
  // What is on no street can be held by no radius.
  if (isOther || !isThere) {
    wrong += 1;
    if (process.env['LEEWARD_SHOW_WRONG'] !== undefined)
      console.error(kind, JSON.stringify(missing), JSON.stringify(geocode));
  }
}
for (const [status, many] of outcomes) add(`${missingCount} that do not exist: ${status}`, many, '');
add(`${missingCount} that do not exist: by another street or ZIP code`, wrong, '');
for (const each of summarizeRadii(sampleRadii(book, zips))) {
  ratios[`measured: ${each.method}, ${each.setting}, ${each.size}: radius ÷ span`] = each.factor;
}
report({ benchmark: 'places', rows, ratios, meaning: 'of one' }, args);
book.close();
