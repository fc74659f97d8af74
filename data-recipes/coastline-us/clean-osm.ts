import type { LineSet } from './line-set.ts';
import { LineSetBuilder } from './line-set.ts';
import { CLOSINGS } from './osm-closings.ts';

/** Segments and meters removed from OSM. */
export interface OsmCleaning {
  readonly meridianSegments: number;
  readonly meridianMeters: number;
  readonly closingSegments: number;
  readonly closingMeters: number;
}

/** Removes lines along the 180° meridian, where polygons were cut, and the closings; rings are opened there. */
export function cleanOsm(lines: LineSet): { lines: LineSet; cleaning: OsmCleaning } {
  const closing = new Set<string>();
  for (const { path } of CLOSINGS) for (let i = 0; i + 1 < path.length; i++) closing.add(`${path[i]} ${path[i + 1]}`);
  const expected = closing.size;
  const cleaning = { meridianSegments: 0, meridianMeters: 0, closingSegments: 0, closingMeters: 0 };
  const kept = new LineSetBuilder();
  const p = lines.positions;
  for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
    const last = lines.lineStarts[line + 1]! - 1;
    for (let v = lines.lineStarts[line]!; v <= last; v++) {
      kept.addVertex(p[2 * v]!, p[2 * v + 1]!);
      if (v === last) break;
      const onMeridian = Math.abs(p[2 * v]!) === 180 && Math.abs(p[2 * v + 2]!) === 180;
      const isClosing = closing.has(`${p[2 * v]},${p[2 * v + 1]} ${p[2 * v + 2]},${p[2 * v + 3]}`);
      if (!onMeridian && !isClosing) continue;
      kept.endLine();
      const cosine = Math.cos(p[2 * v + 1]! * (Math.PI / 180));
      const meters = 111_195 * Math.hypot((p[2 * v + 2]! - p[2 * v]!) * cosine, p[2 * v + 3]! - p[2 * v + 1]!);
      cleaning[onMeridian ? 'meridianSegments' : 'closingSegments']++;
      cleaning[onMeridian ? 'meridianMeters' : 'closingMeters'] += meters;
    }
    kept.endLine();
  }
  if (cleaning.closingSegments !== expected)
    throw new Error(`Found ${cleaning.closingSegments} of ${expected} closings: is this version 0.6.0 of the data?`);
  return { lines: kept.finish(), cleaning };
}
