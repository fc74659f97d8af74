type DistanceName = readonly [name: string, field: string, unit: 'miles' | 'feet' | 'meters', description: string];

const instead = 'used instead of a lookup';
const one = 'Give one distance to it, in one unit.';

/** Request names of distances, with their fields in meters, units and descriptions. The first name of a field is reported as missing. */
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
  [
    'distance_to_tidal_water_meters',
    'distance_to_tidal_water_meters',
    'meters',
    `Meters to the nearest tidal water, ${instead}. ${one}`,
  ],
  ['distance_to_ocean_meters', 'distance_to_ocean_meters', 'meters', `Meters to the open ocean, ${instead}. ${one}`],
  [
    'distance_to_mean_high_water_meters',
    'distance_to_mean_high_water_meters',
    'meters',
    `Meters to the coastal mean high-water line, ${instead}. ${one}`,
  ],
] as const satisfies readonly DistanceName[];
