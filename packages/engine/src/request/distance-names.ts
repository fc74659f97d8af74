/** Request names of distances in miles, the fields in metres that they give, and what is said of them. */
export const distanceNames = [
  [
    'distance_to_coast_miles',
    'distance_to_tidal_water_meters',
    'Miles to the nearest tidal water, used as given instead of a look-up.',
  ],
  [
    'distance_to_ocean_miles',
    'distance_to_ocean_meters',
    'Miles to the open ocean, used as given instead of a look-up.',
  ],
  [
    'distance_to_mean_high_water_miles',
    'distance_to_mean_high_water_meters',
    'Miles to the coastal mean high-water line, from which the wind-borne debris region reaches one mile inland; used as given instead of a look-up.',
  ],
] as const;
