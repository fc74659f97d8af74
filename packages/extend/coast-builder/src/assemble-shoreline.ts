import { CoastError, type Shoreline, type ShorelineHeader } from '@leeward/coast';
import type { RawLine } from './raw-lines.ts';

export interface LayeredLines {
  readonly lines: readonly RawLine[];
  readonly layers: readonly string[];
  readonly shore: string;
}

/** Reverses lines with the water on their left, so that it is on the right of all. One unknown side makes the shoreline's side unknown. */
export function assembleShoreline(header: ShorelineHeader, layered: readonly LayeredLines[]): Shoreline {
  const all = layered.flatMap(({ lines }) => lines);
  const vertices = all.reduce((sum, line) => sum + line.positions.length, 0);
  if (vertices === 0) {
    throw new CoastError('invalid_shoreline', `${header.name}: all lines were dropped; see the report for the reasons`);
  }
  const isSideKnown = all.every((line) => line.water !== 'unknown');
  const positions = new Float64Array(vertices * 2);
  const lineStarts = new Uint32Array(all.length + 1);
  const layers = new Uint16Array(vertices);
  const shores = new Uint8Array(vertices);
  let vertex = 0;
  let number = 0;
  for (const { lines, layers: names, shore } of layered) {
    const mask = names.reduce((sum, name) => sum | (1 << header.layerNames.indexOf(name)), 0);
    const shoreNumber = header.shoreNames.indexOf(shore);
    for (const line of lines) {
      const ordered = isSideKnown && line.water === 'left' ? line.positions.toReversed() : line.positions;
      for (const [longitude = 0, latitude = 0] of ordered) {
        positions[vertex * 2] = longitude;
        positions[vertex * 2 + 1] = latitude;
        layers[vertex] = mask;
        shores[vertex] = shoreNumber;
        vertex++;
      }
      lineStarts[++number] = vertex;
    }
  }
  return { ...header, water: isSideKnown ? 'right' : 'unknown', positions, lineStarts, layers, shores };
}
