import { type CoastAnswer, type Footprint, type FootprintAnswer, measureFootprint } from '@leeward/coast';
import { type GeoJsonFootprint, polygonsOf } from '@leeward/terms';
import type { CoastPort } from './coast-port.ts';
import type { FoundPlace } from './found-place.ts';
import { nearestCoast } from './mean-high-water.ts';

/** What is known of the shore from a place: of all of a footprint, where that was given. */
export type PlaceAnswer = CoastAnswer & { readonly footprint?: FootprintAnswer };

/**
 * The nearest shore of a place. Of a footprint it is that of its nearest point, and the interval holds that of every point of it: a
 * limit is then decided for the whole building. Throws what the coast throws.
 */
export function nearestOfPlace(coast: CoastPort, place: FoundPlace, definition: string): PlaceAnswer {
  if (place.footprint === undefined) return nearestCoast(coast, place, definition);
  const footprint = measureFootprint((point) => nearestCoast(coast, point, definition), place.footprint);
  const { nearest, farthest, minMeters, maxMeters } = footprint;
  return {
    ...nearest,
    minMeters,
    maxMeters,
    side: nearest.side === farthest.side ? nearest.side : 'unknown',
    isTidalRiverPossible: nearest.isTidalRiverPossible || farthest.isTidalRiverPossible,
    footprint,
  };
}

/** A footprint as the coast takes it, and the middle of the box around it, for what is asked of one point. */
export function readFootprint(given: GeoJsonFootprint): {
  readonly footprint: Footprint;
  readonly middle: { readonly lat: number; readonly lng: number };
} {
  const polygons = polygonsOf(given);
  const positions = polygons.flat(2);
  const middle = (axis: 0 | 1) => {
    const values = positions.map((position) => position[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  return { footprint: { kind: 'polygons', polygons }, middle: { lat: middle(1), lng: middle(0) } };
}
