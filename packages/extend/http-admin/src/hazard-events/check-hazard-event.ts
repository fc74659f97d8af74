import { type HazardEvent, parseHazardEvents } from '@leeward/engine/events';
import type { CheckedHazardEvent } from '@leeward/registry';

type Position = readonly [longitude: number, latitude: number];

/** Checks an event that an operator posts, with all faults, and its area for edges that cross. */
export function checkHazardEvent(event: unknown): CheckedHazardEvent {
  const parsed = parseHazardEvents([event]);
  if (!parsed.ok) {
    return { faults: parsed.faults.map((fault) => ({ ...fault, path: fault.path.replace(/^\/0/, '') })) };
  }
  const [checked] = parsed.events;
  const crossing = crossingIn(checked!);
  if (crossing === undefined) return { faults: [], event: { ...checked! } };
  const message = `area crosses itself near [${crossing.map((degrees) => degrees.toFixed(4)).join(', ')}]; put its corners in order around it.`;
  return { faults: [{ path: '/area', code: 'crosses_itself', message }] };
}

/** A point at which two edges of one ring cross; undefined if none do. Areas have few positions, so every pair is tried. */
function crossingIn({ area }: HazardEvent): Position | undefined {
  if (area === undefined) return undefined;
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  for (const ring of polygons.flat() as unknown as readonly (readonly Position[])[]) {
    for (let first = 0; first < ring.length - 1; first++) {
      for (let second = first + 2; second < ring.length - 1; second++) {
        // The first edge and the last one meet.
        if (first === 0 && second === ring.length - 2) continue;
        const point = crossingOf(ring[first]!, ring[first + 1]!, ring[second]!, ring[second + 1]!);
        if (point) return point;
      }
    }
  }
  return undefined;
}

function crossingOf(a: Position, b: Position, c: Position, d: Position): Position | undefined {
  const [ab, cd, ac] = [minus(b, a), minus(d, c), minus(c, a)];
  const across = cross(ab, cd);
  if (across === 0) return undefined;
  const along = cross(ac, cd) / across;
  const other = cross(ac, ab) / across;
  if (along < 0 || along > 1 || other < 0 || other > 1) return undefined;
  return [a[0] + along * ab[0], a[1] + along * ab[1]];
}

function minus([x, y]: Position, [fromX, fromY]: Position): Position {
  return [x - fromX, y - fromY];
}

function cross([ax, ay]: Position, [bx, by]: Position): number {
  return ax * by - ay * bx;
}
