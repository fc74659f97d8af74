import type { Position } from 'geojson';
import type { RawLine } from './raw-lines.ts';

/**
 * Joins lines where exactly one ends and one other begins, so that the side of the water is known at every vertex. Never reversed, since
 * that would change the side.
 */
export function joinLines(lines: readonly RawLine[]): RawLine[] {
  const starts = new Map<string, number[]>();
  const ends = new Map<string, number>();
  lines.forEach(({ positions, water }, index) => {
    const start = placeKey(positions[0]!, water);
    const end = placeKey(positions.at(-1)!, water);
    if (start === end) return;
    starts.set(start, [...(starts.get(start) ?? []), index]);
    ends.set(end, (ends.get(end) ?? 0) + 1);
  });
  /** The only line that begins where this one ends. */
  const follower = (line: RawLine): number | undefined => {
    const key = placeKey(line.positions.at(-1)!, line.water);
    if (key === placeKey(line.positions[0]!, line.water)) return undefined;
    const [next, ...others] = starts.get(key) ?? [];
    return others.length === 0 && ends.get(key) === 1 ? next : undefined;
  };
  const followed = new Set<number>();
  for (const line of lines) {
    const next = follower(line);
    if (next !== undefined) followed.add(next);
  }
  const used = new Set<number>();
  const joined: RawLine[] = [];
  const chain = (first: number): void => {
    const parts: (readonly Position[])[] = [];
    const { water } = lines[first]!;
    for (let index: number | undefined = first; index !== undefined && !used.has(index); ) {
      used.add(index);
      const line: RawLine = lines[index]!;
      parts.push(parts.length === 0 ? line.positions : line.positions.slice(1));
      index = follower(line);
    }
    joined.push({ positions: parts.flat(), water });
  };
  // Open chains first, then rings.
  lines.forEach((_, index) => {
    if (!followed.has(index)) chain(index);
  });
  lines.forEach((_, index) => {
    if (!used.has(index)) chain(index);
  });
  return joined;
}

function placeKey(position: Position, water: string): string {
  return `${position[0]} ${position[1]} ${water}`;
}
