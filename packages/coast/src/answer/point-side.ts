import { type ShoreSide, shoreSide } from '../search/shore-side.ts';
import type { SourceSearch } from './source-search.ts';

/** A source that was asked, and what it found. */
export interface Asked {
  readonly source: SourceSearch;
  readonly vertex: number;
  readonly distanceMeters: number;
}

/**
 * The side of the shore of the source that answers; where its lines end, land if the other says so. Land of a work that lacks a bay is water where the other work says so
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
  if (other === undefined) return side;
  // Where the lines of one end, the other may know land; that it knows no land makes no water.
  if (side === 'unknown') return sideBy(other, px, py, pz) === 'land' ? 'land' : 'unknown';
  if (side === 'water') return isDoubted(answering, other, px, py, pz) ? 'unknown' : side;
  if (other.distanceMeters > answering.distanceMeters || other.distanceMeters <= accuracyMeters) return side;
  return sideBy(other, px, py, pz) === 'water' ? 'water' : side;
}

const AS_NEAR = 1.3;

/**
 * Water that the other work calls land from a shore about as near is neither: lines that end in the middle of a shore put their water
 * behind it, tens of kilometres inland. A work that lacks the bay altogether has its shore far off, and has no say.
 */
function isDoubted(answering: Asked, other: Asked, px: number, py: number, pz: number): boolean {
  return other.distanceMeters < AS_NEAR * answering.distanceMeters && sideBy(other, px, py, pz) === 'land';
}

function sideBy({ source, vertex }: Asked, px: number, py: number, pz: number): ShoreSide {
  const { header, lines } = source.index;
  return shoreSide(lines, header.water, vertex, px, py, pz);
}
