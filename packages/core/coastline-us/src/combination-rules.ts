import type { CoastDefinition, CombinationRule } from '@leeward/coast';

/**
 * Rule for `tidal`. OSM answers unless GSHHG has a shore more than 400 m nearer, which OSM then lacks. On independent shores (Hawaii's
 * at 1:24,000, NOAA's charts of Key West and Miami Beach) the radius covers 96 to 98 %. If both have the shore, they differ by less than
 * `preferredCeilingMeters`; `checkCeilingMeters` is the radius of GSHHG alone.
 */
export const TIDAL_RULE: CombinationRule = {
  excessMeters: 400,
  baseMeters: 150,
  disagreementFactor: 0.75,
  preferredCeilingMeters: 1_500,
  checkCeilingMeters: 600,
};

/**
 * Rule for the oceans. The shorelines can put a bay into different classes: the radius is then tens of kilometers. The base includes the
 * raster of 139 m from which the classes were made.
 */
export const OCEAN_RULE: CombinationRule = {
  ...TIDAL_RULE,
  baseMeters: 250,
  preferredCeilingMeters: Number.POSITIVE_INFINITY,
  checkCeilingMeters: 5_500,
};

/** Rule for the Great Lakes. Only GSHHG has the Great Lakes: it answers with its radius for them. */
export const LAKES_RULE: CombinationRule = { ...TIDAL_RULE, checkCeilingMeters: 1_600 };

const OCEANS: ReadonlySet<string> = new Set(['ocean', 'ocean_narrow', 'ocean_wide']);

/**
 * Returns the rule for a definition; `tidal` takes precedence over oceans, whose shores it includes.
 * @example
 * createCoast({ preferred: osm, check: gshhg, rule: combinationRule });
 */
export function combinationRule({ layers }: CoastDefinition): CombinationRule {
  if (!layers.includes('tidal') && layers.some((layer) => OCEANS.has(layer))) return OCEAN_RULE;
  return layers.includes('great_lakes') ? LAKES_RULE : TIDAL_RULE;
}
