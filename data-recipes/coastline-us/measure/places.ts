/**
 * Known places by definition, as a table for the README.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/places.ts
 */
import type { CoastAnswer } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { KNOWN_PLACES } from './known-places.ts';

const coast = loadCoastlineUs();
const inKilometers = (meters: number): string => (meters / 1000).toFixed(2);
const kilometers = (answer: CoastAnswer): string =>
  `${inKilometers(answer.distanceMeters)} ± ${inKilometers(answer.accuracyMeters)}`;
/** Rivers and gauges make the interval of `tidal` one-sided. */
const interval = ({ distanceMeters, minMeters, maxMeters }: CoastAnswer): string =>
  `${inKilometers(distanceMeters)} (${inKilometers(minMeters)} … ${inKilometers(maxMeters)})`;
console.log('| place | tidal, km | shore | ocean (3.2 km), km | ocean_narrow (1.6 km) | ocean_wide (10 km) |');
console.log('|---|---|---|---|---|---|');
for (const { name, latitude, longitude } of KNOWN_PLACES) {
  const [tidal, ocean, narrow, wide] = coast.nearestByEach({ latitude, longitude }, [
    'tidal',
    'ocean',
    'ocean_narrow',
    'ocean_wide',
  ]);
  console.log(
    `| ${name} | ${interval(tidal!)} | ${tidal!.shore} | ${kilometers(ocean!)} | ${kilometers(narrow!)} | ${kilometers(wide!)} |`,
  );
}
