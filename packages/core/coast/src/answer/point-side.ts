import { type ShoreSide, shoreSide } from '../search/shore-side.ts';
import { layerNamesOf } from '../shoreline/coast-definition.ts';
import type { SourceSearch } from './source-search.ts';

export interface SourceResult {
  readonly source: SourceSearch;
  readonly vertex: number;
}

/**
 * The side by the nearest shore. The preferred shoreline of a conflation has whole polygons: where it is the nearest, it decides. Its
 * land may be water that only the check has, so land and water by the two is unknown.
 *
 * Without a conflation two datasets must agree, because a line that ends or folds puts the wrong side behind it, tens of kilometers away.
 * If only one has a side, `water` becomes unknown. A dataset without this kind of shore (a lake, a neighbour's) is ignored. The point is
 * in units of a frame.
 */
export function pointSide(
  answering: SourceResult,
  other: SourceResult | undefined,
  px: number,
  py: number,
  pz: number,
): ShoreSide {
  const side = sideBy(answering, px, py, pz);
  if (other === undefined || !hasShoreOf(other, answering)) return side;
  if (answering.source.isByClass && answering.source.number === 0) return side;
  const otherSide = sideBy(other, px, py, pz);
  if (side === otherSide) return side;
  if (side === 'unknown' || otherSide === 'unknown') {
    return side === 'land' || otherSide === 'land' ? 'land' : 'unknown';
  }
  return 'unknown';
}

function hasShoreOf(other: SourceResult, { source, vertex }: SourceResult): boolean {
  const { header, lines } = source.index;
  return layerNamesOf(header, lines.layers[vertex]!).every((name) => other.source.shoreLayers.has(name));
}

function sideBy({ source, vertex }: SourceResult, px: number, py: number, pz: number): ShoreSide {
  const { header, lines } = source.index;
  return shoreSide(lines, header.water, vertex, px, py, pz);
}
