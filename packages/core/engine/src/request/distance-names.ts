/** A distance that a caller can give, in a unit, instead of having it looked up. */
type DistanceName = readonly [name: string, field: string, unit: 'miles' | 'feet', description: string];

const instead = 'used as given instead of a look-up';
const one = 'Give one distance to it, in one unit.';

/**
 * Request names of distances, the fields in metres that they give, their units, and what is said of them. The first of a
 * field is the one that is asked for.
 */
export const distanceNames = [
  [
    'distance_to_coast_miles',
    'distance_to_tidal_water_meters',
    'miles',
    `Miles to the nearest tidal water, ${instead}. ${one}`,
  ],
  ['distance_to_ocean_miles', 'distance_to_ocean_meters', 'miles', `Miles to the open ocean, ${instead}. ${one}`],
  [
    'distance_to_mean_high_water_miles',
    'distance_to_mean_high_water_meters',
    'miles',
    `Miles to the coastal mean high-water line, from which the wind-borne debris region reaches one mile inland; ${instead}. ${one}`,
  ],
  [
    'distance_to_coast_feet',
    'distance_to_tidal_water_meters',
    'feet',
    `Feet to the nearest tidal water, ${instead}. ${one}`,
  ],
  [
    'distance_to_tidal_water_miles',
    'distance_to_tidal_water_meters',
    'miles',
    `Another name of distance_to_coast_miles. ${one}`,
  ],
  [
    'distance_to_tidal_water_feet',
    'distance_to_tidal_water_meters',
    'feet',
    `Another name of distance_to_coast_feet. ${one}`,
  ],
  ['distance_to_ocean_feet', 'distance_to_ocean_meters', 'feet', `Feet to the open ocean, ${instead}. ${one}`],
  [
    'distance_to_mean_high_water_feet',
    'distance_to_mean_high_water_meters',
    'feet',
    `Feet to the coastal mean high-water line, ${instead}. ${one}`,
  ],
] as const satisfies readonly DistanceName[];
