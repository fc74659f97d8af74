import type { CombinationRule } from '@leeward/coast';

/**
 * How the two shorelines give one answer for `tidal`: OSM's, unless GSHHG knows a shore more than 500 m nearer, which
 * OSM then lacks. Measured on shores of neither: the state of Hawaii's (1:24,000) and NOAA's chart of Key West, where
 * the radius covered 95 % and 96 % of 5,000 and 1,500 places within 8 and 3 km. The ceilings: where both have the
 * shore they differ by less than 1,500 m; where OSM lacks it, GSHHG was within 450 m in 95 % of places.
 */
export const TIDAL_RULE: CombinationRule = {
  excessMeters: 500,
  baseMeters: 150,
  disagreementFactor: 0.75,
  preferredCeilingMeters: 1_500,
  checkCeilingMeters: 450,
};

/**
 * The same for the oceans. Here the two can put a whole bay in different classes: their disagreement is then tens of
 * kilometres, and says so. The base is wider by the raster of 139 m from which the classes were drawn.
 */
export const OCEAN_RULE: CombinationRule = {
  excessMeters: 500,
  baseMeters: 250,
  disagreementFactor: 0.75,
  preferredCeilingMeters: Number.POSITIVE_INFINITY,
  checkCeilingMeters: Number.POSITIVE_INFINITY,
};
