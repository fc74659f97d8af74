/**
 * Known places by definition, as a table for the README.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/places.ts
 */
import type { CoastAnswer } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';

/** Places with distances that a coastal underwriter can check: the middle of the town unless the name differs. */
const KNOWN_PLACES: readonly { readonly name: string; readonly latitude: number; readonly longitude: number }[] =
  // biome-ignore format: a table
  ([
    ['Galveston TX', 29.3013, -94.7977], ['Hatteras NC', 35.2193, -75.6904], ['Ocean City MD', 38.3365, -75.0849],
    ['Miami Beach FL', 25.7907, -80.13], ['Key West FL', 24.5551, -81.78], ['Tampa FL', 27.9506, -82.4572],
    ['St. Petersburg FL', 27.7676, -82.64], ['Fort Myers FL', 26.6406, -81.8723], ['Jacksonville FL', 30.3322, -81.6557],
    ['Savannah GA', 32.0809, -81.0912], ['Charleston SC', 32.7765, -79.9311], ['New Bern NC', 35.1085, -77.0441],
    ['Norfolk VA', 36.8508, -76.2859], ['Baltimore MD', 39.2904, -76.6122], ['Annapolis MD', 38.9784, -76.4922],
    ['Philadelphia PA', 39.9526, -75.1652], ['New York NY', 40.7128, -74.006], ['Albany NY', 42.6526, -73.7562],
    ['Bridgeport CT', 41.1865, -73.1952], ['Providence RI', 41.824, -71.4128], ['Boston MA', 42.3601, -71.0589],
    ['Mobile AL', 30.6954, -88.0399], ['Gulfport MS', 30.3674, -89.0928], ['New Orleans lakefront LA', 30.02, -90.095],
    ['Houston TX', 29.7604, -95.3698], ['Corpus Christi TX', 27.8006, -97.3964], ['San Diego CA', 32.7157, -117.1611],
    ['San Francisco CA', 37.7749, -122.4194], ['Oakland CA', 37.8044, -122.2711], ['Sacramento CA', 38.5816, -121.4944],
    ['Astoria OR', 46.1879, -123.8313], ['Seattle WA', 47.6062, -122.3321], ['Bellevue WA', 47.6101, -122.2015],
    ['Anchorage AK', 61.2181, -149.9003], ['Honolulu HI', 21.3069, -157.8583], ['San Juan PR', 18.4655, -66.1057],
    ['Pago Pago AS', -14.2781, -170.7025], ['Denver CO', 39.7392, -104.9903], ['Atlanta GA', 33.749, -84.388],
  ] as const).map(([name, latitude, longitude]) => ({ name, latitude, longitude }));

const coast = loadCoastlineUs();
const inKilometers = (meters: number): string => (meters / 1000).toFixed(2);
/** Rivers, gauges and a second classification of an ocean make intervals one-sided. */
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
    `| ${name} | ${interval(tidal!)} | ${tidal!.shore} | ${interval(ocean!)} | ${interval(narrow!)} | ${interval(wide!)} |`,
  );
}
