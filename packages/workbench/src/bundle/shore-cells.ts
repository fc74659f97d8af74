import { readFileSync } from 'node:fs';
import { decodeShoreline } from '@leeward/coast';
import { coastlineUsFiles } from '@leeward/coastline-us';
import { cellName, type ShoreCell } from '../map/shore-cell.ts';

/** Steps a degree: about a metre. */
const STEPS = 1e5;

/**
 * Both shipped shorelines, cut into cells of two degrees: lines of whole steps of 10⁻⁵ degrees, each vertex but the first as the
 * difference from the one before. A segment that leaves a cell is in both. Cells without shore have no file.
 */
export function shoreCells(): ReadonlyMap<string, string> {
  const cells = new Map<string, Record<string, number[][]>>();
  for (const [source, url] of Object.entries(coastlineUsFiles)) {
    const { positions, lineStarts, layers, layerNames } = decodeShoreline(readFileSync(url));
    const tidal = 1 << layerNames.indexOf('tidal');
    const neighbour = 1 << layerNames.indexOf('neighbour');
    const at = (vertex: number) =>
      [Math.round(positions[2 * vertex]! * STEPS), Math.round(positions[2 * vertex + 1]! * STEPS)] as const;
    for (let line = 0; line + 1 < lineStarts.length; line++) {
      const open = new Map<string, { readonly steps: number[]; last: number }>();
      for (let vertex = lineStarts[line]!; vertex + 1 < lineStarts[line + 1]!; vertex++) {
        const mask = layers[vertex]!;
        if ((mask & tidal) === 0 || (layerNames.includes('neighbour') && (mask & neighbour) !== 0)) continue;
        const [fromX, fromY] = at(vertex);
        const [toX, toY] = at(vertex + 1);
        for (const name of new Set([cellName(fromX / STEPS, fromY / STEPS), cellName(toX / STEPS, toY / STEPS)])) {
          const known = open.get(name);
          if (known?.last === vertex) {
            known.steps.push(toX - fromX, toY - fromY);
            known.last = vertex + 1;
            continue;
          }
          const steps = [fromX, fromY, toX - fromX, toY - fromY];
          open.set(name, { steps, last: vertex + 1 });
          const cell = cells.get(name) ?? {};
          cells.set(name, cell);
          cell[`${source}-us`] ??= [];
          cell[`${source}-us`]!.push(steps);
        }
      }
    }
  }
  return new Map(
    [...cells].map(([name, lines]) => [name, JSON.stringify({ steps: STEPS, lines } satisfies ShoreCell)]),
  );
}
