import { readFileSync } from 'node:fs';
import { decodeShoreline, type Shoreline } from '@leeward/coast';
import { coastlineUsFiles } from '@leeward/coastline-us';
import { cellName, type ShoreCell } from '../map/shore-cell.ts';

/** About a metre. */
const STEPS = 1e5;

/**
 * Cuts each shoreline into cells of two degrees. Coordinates are integers in units of 10⁻⁵ degrees, each the difference from the one
 * before. A segment that leaves a cell is in both. Empty cells have no file.
 */
export function shoreCells(): ReadonlyMap<string, string> {
  const cells = Object.entries(coastlineUsFiles).flatMap(([source, url]) => [
    ...cellsOfShoreline(`${source}-us`, decodeShoreline(readFileSync(url))),
  ]);
  return new Map(cells.map(([name, cell]) => [`${name}.json`, JSON.stringify(cell)]));
}

function cellsOfShoreline(dataset: string, shoreline: Shoreline): Map<string, ShoreCell> {
  const { positions, lineStarts, layers, layerNames, attribution } = shoreline;
  const cells = new Map<string, ShoreCell & { readonly lines: number[][] }>();
  const bit = (layer: string) => (layerNames.includes(layer) ? 1 << layerNames.indexOf(layer) : 0);
  const [tidal, neighbour] = [bit('tidal'), bit('neighbour')];
  const at = (vertex: number) =>
    [Math.round(positions[2 * vertex]! * STEPS), Math.round(positions[2 * vertex + 1]! * STEPS)] as const;
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    const open = new Map<string, { readonly steps: number[]; last: number }>();
    for (let vertex = lineStarts[line]!; vertex + 1 < lineStarts[line + 1]!; vertex++) {
      if ((layers[vertex]! & tidal) === 0 || (layers[vertex]! & neighbour) !== 0) continue;
      const [fromX, fromY] = at(vertex);
      const [toX, toY] = at(vertex + 1);
      const ends = [
        [fromX, fromY],
        [toX, toY],
      ] as const;
      for (const name of new Set(ends.map(([x, y]) => cellName(dataset, x / STEPS, y / STEPS)))) {
        const openLine = open.get(name);
        if (openLine?.last === vertex) {
          openLine.steps.push(toX - fromX, toY - fromY);
          openLine.last = vertex + 1;
          continue;
        }
        const steps = [fromX, fromY, toX - fromX, toY - fromY];
        open.set(name, { steps, last: vertex + 1 });
        const cell = cells.get(name) ?? { steps: STEPS, attribution, lines: [] };
        cells.set(name, cell);
        cell.lines.push(steps);
      }
    }
  }
  return cells;
}
