import { type ShoreSide, shoreSide } from '../search/shore-side.ts';
import { layerNamesOf } from '../shoreline/coast-definition.ts';
import type { SourceSearch } from './source-search.ts';

/** A source that was asked, and the segment it found. */
export interface Asked {
  readonly source: SourceSearch;
  readonly vertex: number;
}

/**
 * The side of the shore. Two works must agree: where one of them ends its lines or folds them, it puts water or land behind
 * them, tens of kilometres away, and which of the two errs cannot be told. Where the lines of one end, the other may know land; that
 * it knows none makes no water. A work that has no shore of the kind found (a lake, a neighbour's) has no say. The point is in the
 * frame's units.
 */
export function pointSide(answering: Asked, other: Asked | undefined, px: number, py: number, pz: number): ShoreSide {
  const side = sideBy(answering, px, py, pz);
  if (other === undefined || !knowsShoreOf(other, answering)) return side;
  const otherSide = sideBy(other, px, py, pz);
  if (side === otherSide) return side;
  if (side === 'unknown' || otherSide === 'unknown') {
    return side === 'land' || otherSide === 'land' ? 'land' : 'unknown';
  }
  return 'unknown';
}

function knowsShoreOf(other: Asked, { source, vertex }: Asked): boolean {
  const { header, lines } = source.index;
  return layerNamesOf(header, lines.layers[vertex]!).every((name) => other.source.shoreLayers.has(name));
}

function sideBy({ source, vertex }: Asked, px: number, py: number, pz: number): ShoreSide {
  const { header, lines } = source.index;
  return shoreSide(lines, header.water, vertex, px, py, pz);
}
