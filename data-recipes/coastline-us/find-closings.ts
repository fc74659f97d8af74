import type { LineSet } from './line-set.ts';
import { CLOSINGS } from './osm-closings.ts';

export interface Closings {
  /** 1 at the first vertex of each segment of a closing. */
  readonly segments: Uint8Array;
  readonly count: number;
  readonly meters: number;
}

/** Finds the segments of the closings. They stay in their rings, which therefore still separate land and water. */
export function findClosings(lines: LineSet): Closings {
  const closing = new Set<string>();
  for (const { path } of CLOSINGS) for (let i = 0; i + 1 < path.length; i++) closing.add(`${path[i]} ${path[i + 1]}`);
  const segments = new Uint8Array(lines.positions.length / 2);
  let count = 0;
  let meters = 0;
  const p = lines.positions;
  for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
    for (let v = lines.lineStarts[line]!; v + 1 < lines.lineStarts[line + 1]!; v++) {
      if (!closing.has(`${p[2 * v]},${p[2 * v + 1]} ${p[2 * v + 2]},${p[2 * v + 3]}`)) continue;
      segments[v] = 1;
      count++;
      const cosine = Math.cos(p[2 * v + 1]! * (Math.PI / 180));
      meters += 111_195 * Math.hypot((p[2 * v + 2]! - p[2 * v]!) * cosine, p[2 * v + 3]! - p[2 * v + 1]!);
    }
  }
  if (count !== closing.size)
    throw new Error(`Found ${count} of ${closing.size} closings: is this roaring-landmask 0.11.0?`);
  return { segments, count, meters };
}
