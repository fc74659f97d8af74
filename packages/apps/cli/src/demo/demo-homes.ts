/** A home in Harris County, Texas, whose roof some carriers take and others do not. */
export const harrisHome = {
  state: 'tx',
  county: 'harris',
  policy_type: 'ho3',
  dwelling_a: 285000,
  year_built: 1987,
  structure_type: 'single family',
  roof_type: '3-tab shingle',
  roof_age: 22,
  primary_plumbing: 'copper',
  primary_wiring: 'copper',
  water_heater_age: 8,
  hvac_age: 9,
  protection_class: 3,
  acreage: 0.3,
  ownership: 'personal',
  usage: 'primary',
  total_claims: 1,
  lapse_in_coverage: 0,
} as const;

/** The home in Florida, where a roof's age alone does not decline. */
export const miamiHome = { ...harrisHome, state: 'fl', county: 'miami-dade' } as const;

/** A newer home in Broward County, where the demo's agency has carriers of every source. */
export const browardHome = {
  ...harrisHome,
  state: 'fl',
  county: 'broward',
  year_built: 2004,
  roof_type: 'tile',
  roof_age: 9,
  dwelling_a: 420000,
} as const;
