import { CoastError, type Shoreline, type ShorelineHeader } from '@leeward/coast';
import type { RawLine } from './raw-lines.ts';

/** Lines of one layer or several, of one shore. */
export interface LayeredLines {
  readonly lines: readonly RawLine[];
  readonly layers: readonly string[];
  readonly shore: string;
}

/**
 * Puts lines behind one another as a `Shoreline`. Those with the water on their right are reversed where others have it on their
 * left, so that one side holds for all; where some do not know, none does.
 */
export function assembleShoreline(header: ShorelineHeader, layered: readonly LayeredLines[]): Shoreline {
  const all = layered.flatMap(({ lines }) => lines);
  const vertices = all.reduce((sum, line) => sum + line.positions.length, 0);
  if (vertices === 0) {
    throw new CoastError(
      'invalid_shoreline',
      `${header.name}: no line is left of what was read; see what was dropped, and why`,
    );
  }
  for (const { lines } of layered) checkAxes(lines, header.name);
  const known = all.every((line) => line.water !== 'unknown');
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
      const ordered = known && line.water === 'left' ? line.positions.toReversed() : line.positions;
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
  return { ...header, water: known ? 'right' : 'unknown', positions, lineStarts, layers, shores };
}

/** No home lies south of this: there is only ice. */
const ICE_LATITUDE = -65;

/**
 * Refuses lines whose axes are swapped: those of the United States then all lie in the Antarctic, as `25.8, -80.1` does. Beyond 90
 * degrees of longitude the position is none, and is refused where it is read.
 */
function checkAxes(lines: readonly RawLine[], name: string): void {
  const first = lines[0]?.positions[0];
  if (!first || !lines.every(({ positions }) => positions.every(([, latitude]) => latitude! < ICE_LATITUDE))) return;
  const [longitude, latitude] = first;
  throw new CoastError(
    'invalid_shoreline',
    `${name}: longitude ${longitude}, latitude ${latitude}: the axes look swapped, for all of it lies in the Antarctic; write longitude before latitude`,
  );
}
