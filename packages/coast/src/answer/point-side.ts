import { type ShoreSide, shoreSide } from '../search/shore-side.ts';
import type { SourceSearch } from './source-search.ts';

/** A source that was asked, and what it found. */
export interface Asked {
  readonly source: SourceSearch;
  readonly vertex: number;
  readonly distanceMeters: number;
}

/**
 * The side of the shore of the source that answers. Land of a work that lacks a bay is water where the other work says so
 * from a shore as near, and neither shore is within the radius of accuracy. The point is in the frame's units.
 */
export function pointSide(
  answering: Asked,
  other: Asked | undefined,
  accuracyMeters: number,
  px: number,
  py: number,
  pz: number,
): ShoreSide {
  const side = sideBy(answering, px, py, pz);
  if (side !== 'land' || other === undefined) return side;
  if (other.distanceMeters > answering.distanceMeters || other.distanceMeters <= accuracyMeters) return side;
  return sideBy(other, px, py, pz) === 'water' ? 'water' : side;
}

function sideBy({ source, vertex }: Asked, px: number, py: number, pz: number): ShoreSide {
  const { header, lines } = source.index;
  return shoreSide(lines, header.water, vertex, px, py, pz);
}
