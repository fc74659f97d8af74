import { type FeatureAttributes, type FeatureRole, numberAttribute, textAttribute } from './feature-role.ts';

/** `FTYPE` of the National Hydrography Dataset, as far as the tide goes: the first three digits of `FCODE`. */
const COASTLINE = 566;
const SEA = 445;
/** Bays and inlets, estuaries, and the foreshore, whose upper edge is the high-water line. */
const TIDAL_WATERS = new Set([312, 493, 364]);
/** Rivers, canals and the paths drawn through them: tidal only where the caller knows them to be. */
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

/** Layers that the features of the National Hydrography Dataset go into. */
export interface NhdOptions {
  /** The water's name here, such as `Gulf`: NHD itself does not say. */
  readonly shore: string;
  /** Names (`GNIS_NAME`) of rivers and canals that are tidal here, such as `Saint Johns River`. None by default. */
  readonly tidalStreams?: readonly string[];
}

/**
 * The National Hydrography Dataset of the USGS, its classes NHDFlowline, NHDLine, NHDArea and NHDWaterbody alike: features with `FTYPE`
 * or `FCODE` and `GNIS_NAME`. Its coastline (566) also closes the mouths of bays and rivers with a straight line; where NHDArea and
 * NHDWaterbody come with it, what lies behind has its own shores.
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
    return { role: 'ignored', reason: `FTYPE ${type ?? 'missing'} is not tidal by itself` };
  };
}

function featureType(attributes: FeatureAttributes): number | undefined {
  const type = numberAttribute(attributes, 'FTYPE');
  if (type !== undefined) return type;
  const code = numberAttribute(attributes, 'FCODE');
  return code === undefined ? undefined : Math.floor(code / 100);
}
