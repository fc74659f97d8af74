/**
 * NOAA's tide stations against the tidal answer: the number within 1,000 feet, by state, and the misses.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/stations.ts <folder of @neaps/tide-database> [--misses]
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { METERS_PER_FOOT } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';

interface Station {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly type: 'reference' | 'subordinate';
  readonly kind?: string;
  readonly country: string;
  readonly region?: string;
  readonly region_code?: string;
  readonly source: { readonly name: string };
}

const COUNTRIES = new Set([
  'United States',
  'Puerto Rico',
  'Virgin Islands',
  'Guam',
  'Northern Mariana Islands',
  'American Samoa',
]);
const LIMIT_METERS = 1_000 * METERS_PER_FOOT;

const [folder, misses] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of @neaps/tide-database.');
const database = (await import(pathToFileURL(join(folder, 'dist/node/index.js')).href)) as {
  stations: Iterable<Station>;
};
const stations = [...database.stations].filter(
  (station) =>
    station.kind !== 'current' &&
    station.source.name === 'US National Oceanic and Atmospheric Administration' &&
    COUNTRIES.has(station.country),
);
const coast = loadCoastlineUs();
const isCovered = (station: Station): boolean =>
  coast.datasets[0]!.coverage.some(
    (box) =>
      station.longitude >= box.west &&
      station.longitude <= box.east &&
      station.latitude >= box.south &&
      station.latitude <= box.north,
  );
const found = stations.filter(isCovered).map((station) => {
  const answer = coast.nearest(station);
  const place = station.country === 'United States' ? (station.region_code ?? station.region ?? '?') : station.country;
  return { station, place: place.replace('US-', ''), answer, hit: answer.distanceMeters <= LIMIT_METERS };
});
const share = (some: typeof found): string =>
  `${some.length}: ${((100 * some.filter(({ hit }) => hit).length) / some.length).toFixed(1)} %`;
console.log(`${stations.length - found.length} stations beyond the coverage`);
console.log(`all ${share(found)}; reference ${share(found.filter(({ station }) => station.type === 'reference'))}`);
for (const place of new Set(found.map((f) => f.place).sort()))
  console.log(`${place} ${share(found.filter((f) => f.place === place))}`);
const missed = found.filter(({ hit }) => !hit).sort((a, b) => b.answer.distanceMeters - a.answer.distanceMeters);
const within = (meters: number): number => missed.filter(({ answer }) => answer.distanceMeters <= meters).length;
const explained = missed.filter(({ answer }) => answer.distanceMeters - answer.accuracyMeters <= LIMIT_METERS).length;
console.log(
  `${missed.length} misses: ${within(500)} within 500 m, ${within(1000)} within 1 km, ${within(2000)} within 2 km`,
);
console.log(`${explained} of the misses have 1,000 ft within their own radius`);
if (misses === '--misses') {
  for (const { station, place, answer } of missed)
    console.log(
      `${place}\t${station.name}\t${station.latitude}\t${station.longitude}\t${answer.distanceMeters.toFixed(0)}`,
    );
}
