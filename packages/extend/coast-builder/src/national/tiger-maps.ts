import { type FeatureAttributes, type FeatureRole, textAttribute } from './feature-role.ts';

/** `NAME` of TIGER/Line COASTLINE, as this package calls the waters. */
const WATERS: Readonly<Record<string, string>> = {
  atlantic: 'Atlantic',
  gulf: 'Gulf',
  pacific: 'Pacific',
  arctic: 'Arctic',
  caribbean: 'Caribbean',
  'great lakes': 'Great Lakes',
};

/**
 * TIGER/Line COASTLINE: lines with `NAME` (Atlantic, Gulf, Pacific, Arctic, Caribbean, Great Lakes) and `MTFCC`,
 * of which L4150 is the coastline. The Great Lakes are a layer of their own, not tidal water.
 */
export function tigerCoastline(attributes: FeatureAttributes): FeatureRole {
  const code = textAttribute(attributes, 'MTFCC');
  if (code !== 'L4150') return { role: 'ignored', reason: `MTFCC ${code || 'missing'} is no coastline (L4150)` };
  const name = textAttribute(attributes, 'NAME');
  const shore = WATERS[name.toLowerCase()] ?? (name || 'coast');
  return { role: 'shore', layers: [shore === 'Great Lakes' ? 'great_lakes' : 'tidal'], shore, polygons: 'land' };
}

/** `MTFCC` of the waters that count as tidal by themselves: bay, estuary, gulf or sound. */
const BAY = 'H2051';
/** Ocean or sea: COASTLINE has its shore, and its outer border in AREAWATER is the limit of a county. */
const OCEAN = 'H2053';
/** Rivers and canals: tidal only where the caller knows them to be. */
const STREAMS = new Set(['H3010', 'H3013', 'H3020']);

/** Layers that the features of TIGER/Line's AREAWATER go into. */
export interface AreaWaterOptions {
  /** The water's name for these counties, such as `Gulf`. */
  readonly shore: string;
  /** Names (`FULLNAME`) of rivers and canals that are tidal here, such as `St Johns Riv`. None by default. */
  readonly tidalStreams?: readonly string[];
}

/** TIGER/Line AREAWATER: polygons of water with `FULLNAME` and `MTFCC`. */
export function tigerAreaWater(options: AreaWaterOptions): (attributes: FeatureAttributes) => FeatureRole {
  const streams = new Set((options.tidalStreams ?? []).map((name) => name.trim().toLowerCase()));
  return (attributes) => {
    const code = textAttribute(attributes, 'MTFCC');
    if (code === OCEAN) return { role: 'open water' };
    const name = textAttribute(attributes, 'FULLNAME');
    const isTidal = code === BAY || (STREAMS.has(code) && streams.has(name.toLowerCase()));
    if (!isTidal) return { role: 'ignored', reason: `MTFCC ${code || 'missing'} is not tidal by itself` };
    return { role: 'shore', layers: ['tidal'], shore: options.shore, polygons: 'water' };
  };
}
