import type { CoastDefinition, CombinationRule } from '@leeward/coast';

/**
 * How the two shorelines give one answer for `tidal`: OSM's, unless GSHHG knows a shore more than 400 m nearer, which
 * OSM then lacks. Measured on shores of neither, the state of Hawaii's (1:24,000) and NOAA's charts of Key West and
 * Miami Beach, where the radius covers 96 to 98 %. Where both have the shore they differ by less than the first
 * ceiling; where OSM lacks it, GSHHG stands alone, and the second is its own radius.
 */
export const TIDAL_RULE: CombinationRule = {
  excessMeters: 400,
  baseMeters: 150,
  disagreementFactor: 0.75,
  preferredCeilingMeters: 1_500,
  checkCeilingMeters: 600,
};

/**
 * The same for the oceans. Here the two can put a whole bay in different classes: their disagreement is then tens of
 * kilometres, and says so. The base is wider by the raster of 139 m from which the classes were drawn.
 */
export const OCEAN_RULE: CombinationRule = {
  ...TIDAL_RULE,
  baseMeters: 250,
  preferredCeilingMeters: Number.POSITIVE_INFINITY,
  checkCeilingMeters: 5_500,
};

/** Where the Great Lakes count too: OSM has none, so GSHHG answers for them with its radius for lakes. */
export const LAKES_RULE: CombinationRule = { ...TIDAL_RULE, checkCeilingMeters: 1_600 };

const OCEANS: ReadonlySet<string> = new Set(['ocean', 'ocean_narrow', 'ocean_wide']);

/** The rule for a definition. An ocean decides it, unless `tidal` is asked too: the ocean's shores are among the tidal ones. */
export function combinationRule({ layers }: CoastDefinition): CombinationRule {
  if (!layers.includes('tidal') && layers.some((layer) => OCEANS.has(layer))) return OCEAN_RULE;
  return layers.includes('great_lakes') ? LAKES_RULE : TIDAL_RULE;
}
