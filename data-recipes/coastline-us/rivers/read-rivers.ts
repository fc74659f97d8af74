import { readAtlas } from '../atlas.ts';
import { type LineSet, LineSetBuilder } from '../line-set.ts';
import { americanVertices } from '../owners.ts';
import { readOsm } from '../read-osm.ts';

/** River areas of `@geo-maps/earth-rivers-1m`: rings, the water on their left. */
export function readRivers(path: string): LineSet {
  const rings = readOsm(path, inBoxes);
  const { unitedStates, others } = readAtlas();
  const american = americanVertices(rings, unitedStates, others);
  const kept = new LineSetBuilder();
  const { positions, lineStarts } = rings;
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    if (!american.subarray(lineStarts[line]!, lineStarts[line + 1]!).includes(1)) continue;
    for (let vertex = lineStarts[line]!; vertex < lineStarts[line + 1]!; vertex++) {
      kept.addVertex(positions[2 * vertex]!, positions[2 * vertex + 1]!);
    }
    kept.endLine();
  }
  return kept.finish();
}

function inBoxes(longitude: number, latitude: number): boolean {
  return (
    (longitude <= -60 && latitude >= 15 && latitude <= 72) || (longitude >= 140 && latitude >= 10 && latitude <= 60)
  );
}
