import { type FeatureAttributes, type FeatureRole, textAttribute } from './feature-role.ts';

/** By `NAME` of TIGER/Line COASTLINE. */
const WATERS: Readonly<Record<string, string>> = {
  atlantic: 'Atlantic',
  gulf: 'Gulf',
  pacific: 'Pacific',
  arctic: 'Arctic',
  caribbean: 'Caribbean',
  'great lakes': 'Great Lakes',
};

/**
 * Reads TIGER/Line COASTLINE: lines with `NAME` (Atlantic, Gulf, Pacific, Arctic, Caribbean, Great Lakes) and `MTFCC` L4150. The Great
 * Lakes go into `great_lakes`, all others into `tidal`.
 * @example
 * const file = { name: 'tl_2025_us_coastline.shp', bytes, attributes, map: tigerCoastline };
 */
export function tigerCoastline(attributes: FeatureAttributes): FeatureRole {
  const code = textAttribute(attributes, 'MTFCC');
  if (code !== 'L4150') return { role: 'ignored', reason: `MTFCC ${code || 'missing'} is not a coastline (L4150)` };
  const name = textAttribute(attributes, 'NAME');
  const shore = WATERS[name.toLowerCase()] ?? (name || 'coast');
  return { role: 'shore', layers: [shore === 'Great Lakes' ? 'great_lakes' : 'tidal'], shore, polygons: 'land' };
}

/** Bays, estuaries, gulfs and sounds, which are tidal. */
const BAY = 'H2051';
/** COASTLINE has the ocean's shore; in AREAWATER its outer border is the limit of a county. */
const OCEAN = 'H2053';
/** Rivers and canals: tidal only if the caller lists their names. */
const STREAMS = new Set(['H3010', 'H3013', 'H3020']);

/** Options for TIGER/Line AREAWATER. */
export interface AreaWaterOptions {
  /** For example `Gulf`. */
  readonly shore: string;
  /** `FULLNAME` of tidal rivers and canals, such as `St Johns Riv`. @default [] */
  readonly tidalStreams?: readonly string[];
}

/**
 * Reads TIGER/Line AREAWATER: polygons of water with `FULLNAME` and `MTFCC`.
 * @example
 * const map = tigerAreaWater({ shore: 'Atlantic', tidalStreams: ['St Johns Riv'] });
 */
export function tigerAreaWater(options: AreaWaterOptions): (attributes: FeatureAttributes) => FeatureRole {
  const streams = new Set((options.tidalStreams ?? []).map((name) => name.trim().toLowerCase()));
  return (attributes) => {
    const code = textAttribute(attributes, 'MTFCC');
    if (code === OCEAN) return { role: 'open water' };
    const name = textAttribute(attributes, 'FULLNAME');
    const isTidal = code === BAY || (STREAMS.has(code) && streams.has(name.toLowerCase()));
    if (!isTidal) return { role: 'ignored', reason: `MTFCC ${code || 'missing'} is not known to be tidal` };
    return { role: 'shore', layers: ['tidal'], shore: options.shore, polygons: 'water' };
  };
}
