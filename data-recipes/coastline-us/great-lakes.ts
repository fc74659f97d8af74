import { LandMask } from './land-mask.ts';
import { isClosed, type LineSet, LineSetBuilder, signedAreaSquareMeters } from './line-set.ts';

/**
 * Superior, Michigan and Huron are one ring in GSHHG, Erie with Saint Clair another, Ontario the third; no other lake in the box is as
 * large.
 */
const MIN_LAKE_SQUARE_METERS = 15e9;

export function selectGreatLakes(lakes: LineSet, islands: LineSet): LineSet {
  const selected = new LineSetBuilder();
  const add = (lines: LineSet, line: number): void => {
    for (let v = lines.lineStarts[line]!; v < lines.lineStarts[line + 1]!; v++)
      selected.addVertex(lines.positions[2 * v]!, lines.positions[2 * v + 1]!);
    selected.endLine();
  };
  const isGreat = (line: number): boolean =>
    isClosed(lakes, line) && Math.abs(signedAreaSquareMeters(lakes, line)) > MIN_LAKE_SQUARE_METERS;
  for (let line = 0; line + 1 < lakes.lineStarts.length; line++) if (isGreat(line)) add(lakes, line);
  const water = new LandMask(lakes, isGreat);
  for (let line = 0; line + 1 < islands.lineStarts.length; line++) {
    const v = islands.lineStarts[line]!;
    if (
      isClosed(islands, line) &&
      water.covers(islands.positions[2 * v + 1]!) &&
      !water.contains(islands.positions[2 * v]!, islands.positions[2 * v + 1]!)
    )
      add(islands, line);
  }
  return selected.finish();
}
