import { type FeatureAttributes, type FeatureRole, textAttribute } from './feature-role.ts';

/** By `NOAA_Regio`. */
const REGIONS: Readonly<Record<string, string>> = {
  'north atlantic': 'Atlantic',
  'southeast and caribbean': 'Atlantic',
  'gulf of mexico': 'Gulf',
  western: 'Pacific',
  alaska: 'Pacific',
  'pacific islands': 'Pacific',
  'great lakes': 'Great Lakes',
};

/**
 * Reads NOAA's Continually Updated Shoreline Product: lines with `ATTRIBUTE` (`Natural.Mean High Water`, `Man-made.Pier`), `NOAA_Regio`
 * and `HOR_ACC` (meters). Piers, wharves on piles and breakwaters are ignored: they do not bring the sea nearer to a home.
 * @example
 * const file = { name: 'N25W080.shp', bytes, attributes, map: cuspShoreline };
 */
export function cuspShoreline(attributes: FeatureAttributes): FeatureRole {
  const attribute = textAttribute(attributes, 'ATTRIBUTE');
  const kind = attribute.toLowerCase();
  if (/\b(pier|jetty|breakwater|groin|rock|reef)\b/.test(kind)) {
    return { role: 'ignored', reason: `${attribute} is not the shore` };
  }
  const region = textAttribute(attributes, 'NOAA_Regio').toLowerCase();
  const isLake = region === 'great lakes' || /great lake/.test(kind);
  const accuracy = Number(textAttribute(attributes, 'HOR_ACC'));
  return {
    role: 'shore',
    layers: [isLake ? 'great_lakes' : 'tidal'],
    shore: isLake ? 'Great Lakes' : (REGIONS[region] ?? 'coast'),
    polygons: 'land',
    ...(accuracy > 0 && accuracy < 10_000 ? { accuracyMeters: accuracy } : {}),
  };
}
