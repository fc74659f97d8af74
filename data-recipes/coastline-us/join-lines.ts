import { type LineSet, LineSetBuilder } from './line-set.ts';

/**
 * Joins lines where one ends at the vertex where exactly one other begins: GSHHG's bins of 1° cut shores. Keeps the direction, and so
 * the side of the land.
 */
export function joinLines(lines: LineSet): LineSet {
  const { positions, lineStarts } = lines;
  const count = lineStarts.length - 1;
  const startsAt = new Map<string, number>();
  const isRing = new Uint8Array(count);
  const key = (vertex: number): string => `${positions[2 * vertex]} ${positions[2 * vertex + 1]}`;
  for (let line = 0; line < count; line++) {
    const start = key(lineStarts[line]!);
    if (start === key(lineStarts[line + 1]! - 1)) isRing[line] = 1;
    else if (startsAt.has(start)) throw new Error(`Two lines begin at ${start}: cannot tell which one continues.`);
    else startsAt.set(start, line);
  }
  const next = new Int32Array(count).fill(-1);
  const hasPrevious = new Uint8Array(count);
  for (let line = 0; line < count; line++) {
    if (isRing[line]) continue;
    const follower = startsAt.get(key(lineStarts[line + 1]! - 1));
    if (follower === undefined) continue;
    next[line] = follower;
    hasPrevious[follower] = 1;
  }

  const joined = new LineSetBuilder();
  const done = new Uint8Array(count);
  const walk = (first: number): void => {
    let line = first;
    let from = lineStarts[line]!;
    while (line >= 0 && !done[line]) {
      done[line] = 1;
      const end = lineStarts[line + 1]!;
      for (let v = from; v < end; v++) joined.addVertex(positions[2 * v]!, positions[2 * v + 1]!);
      line = next[line]!;
      if (line >= 0) from = lineStarts[line]! + 1;
    }
    joined.endLine();
  };
  for (let line = 0; line < count; line++) if (!hasPrevious[line]) walk(line);
  for (let line = 0; line < count; line++) if (!done[line]) walk(line);
  return joined.finish();
}
