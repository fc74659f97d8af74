/**
 * How a place was found: a record of the house; its number within a range of a street; between known houses of the street; the
 * street near that number, or all of it; the point of the ZIP code; those of the city; or as another geocoder has it.
 */
export const methods = [
  'address_point',
  'address_range',
  'between_houses',
  'street',
  'zip_point',
  'city_points',
  'other_geocoder',
] as const;

/** How a place was found. */
export type Method = (typeof methods)[number];
