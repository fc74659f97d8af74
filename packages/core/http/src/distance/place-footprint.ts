import { type CoastAnswerFields, type Footprint, type FootprintAnswer, measureFootprint } from '@leeward/coast';
import { type GeoJsonFootprint, polygonsOf } from '@leeward/terms';
import { type CoastPort, changeAnswer } from './coast-port.ts';
import type { FoundPlace } from './found-place.ts';
import { nearestCoast } from './mean-high-water.ts';

export type PlaceAnswer = CoastAnswerFields & { readonly footprint?: FootprintAnswer<CoastAnswerFields> };

/** For a footprint, the distance of its nearest point, with an interval over all points. Throws the coast's errors. */
export function nearestOfPlace(coast: CoastPort, place: FoundPlace, definition: string): PlaceAnswer {
  if (place.footprint === undefined) return nearestCoast(coast, place, definition);
  const footprint = measureFootprint((point) => nearestCoast(coast, point, definition), place.footprint);
  const { nearest, farthest, minMeters, maxMeters } = footprint;
  const answer = changeAnswer(nearest, {
    minMeters,
    maxMeters,
    side: nearest.side === farthest.side ? nearest.side : 'unknown',
    isTidalRiverPossible: nearest.isTidalRiverPossible || farthest.isTidalRiverPossible,
  });
  return Object.assign(answer, { footprint });
}

/** `middle` is the center of the bounding box. */
export function readFootprint(geometry: GeoJsonFootprint): {
  readonly footprint: Footprint;
  readonly middle: { readonly lat: number; readonly lng: number };
} {
  const polygons = polygonsOf(geometry);
  const positions = polygons.flat(2);
  const middle = (axis: 0 | 1) => {
    const values = positions.map((position) => position[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  return { footprint: { kind: 'polygons', polygons }, middle: { lat: middle(1), lng: middle(0) } };
}
