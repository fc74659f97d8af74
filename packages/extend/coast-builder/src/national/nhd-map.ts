import { type FeatureAttributes, type FeatureRole, numberAttribute, textAttribute } from './feature-role.ts';

/** `FTYPE` in the National Hydrography Dataset: the first three digits of `FCODE`. */
const COASTLINE = 566;
const SEA = 445;
/** Bays and inlets, estuaries, and the foreshore, whose upper edge is the high-water line. */
const TIDAL_WATERS = new Set([312, 493, 364]);
/** Tidal only if the caller lists their names. */
const STREAMS = new Set([460, 336, 558]);
const LAKE = 390;
const GREAT_LAKES = new Set([
  'lake superior',
  'lake michigan',
  'lake huron',
  'lake saint clair',
  'lake st. clair',
  'lake erie',
  'lake ontario',
]);

/** Options for the National Hydrography Dataset. */
export interface NhdOptions {
  /** For example `Gulf`; NHD has no names. */
  readonly shore: string;
  /** `GNIS_NAME` of tidal rivers and canals, such as `Saint Johns River`. @default [] */
  readonly tidalStreams?: readonly string[];
}

/**
 * Reads the classes NHDFlowline, NHDLine, NHDArea and NHDWaterbody of the USGS, by `FTYPE` or `FCODE` and `GNIS_NAME`. The coastline
 * (566) closes the mouths of bays and rivers with straight lines; add NHDArea and NHDWaterbody for the shores behind them.
 * @example
 * const map = nhdShoreline({ shore: 'Atlantic', tidalStreams: ['Saint Johns River'] });
 */
export function nhdShoreline(options: NhdOptions): (attributes: FeatureAttributes) => FeatureRole {
  const streams = new Set((options.tidalStreams ?? []).map((name) => name.trim().toLowerCase()));
  return (attributes) => {
    const type = featureType(attributes);
    const name = textAttribute(attributes, 'GNIS_NAME').toLowerCase();
    const { shore } = options;
    if (type === SEA) return { role: 'open water' };
    if (type === COASTLINE) return { role: 'shore', layers: ['tidal'], shore, polygons: 'land' };
    if (type !== undefined && (TIDAL_WATERS.has(type) || (STREAMS.has(type) && streams.has(name)))) {
      return { role: 'shore', layers: ['tidal'], shore, polygons: 'water' };
    }
    if (type === LAKE && GREAT_LAKES.has(name)) {
      return { role: 'shore', layers: ['great_lakes'], shore: 'Great Lakes', polygons: 'water' };
    }
    return { role: 'ignored', reason: `FTYPE ${type ?? 'missing'} is not known to be tidal` };
  };
}

function featureType(attributes: FeatureAttributes): number | undefined {
  const type = numberAttribute(attributes, 'FTYPE');
  if (type !== undefined) return type;
  const code = numberAttribute(attributes, 'FCODE');
  return code === undefined ? undefined : Math.floor(code / 100);
}
