import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeShoreline, NEIGHBOUR_LAYER, type Shoreline } from '@leeward/coast';

const DATA = join(import.meta.dirname, '../../packages/core/coastline-us/data');

/** OpenStreetMap's shore as shipped: the tidal part, which all peers can search. */
export function loadCoastline(): { readonly shoreline: Shoreline; readonly label: string } {
  const shipped = shippedShoreline('osm') ?? shippedShoreline('gshhg');
  if (shipped === undefined) throw new Error(`${DATA} has no shoreline`);
  const shoreline = tidalPart(shipped);
  const segments = shoreline.layers.length - shoreline.lineStarts.length + 1;
  return {
    shoreline,
    label: `${shipped.name} ${shipped.version}, tidal: ${segments.toLocaleString('en-US')} segments`,
  };
}

/** The segments of `tidal` only: peers have no layers and must search the same segments. */
function tidalPart(shoreline: Shoreline): Shoreline {
  const { positions, lineStarts, layers, layerNames, accuracy } = shoreline;
  const tidal = layerNames.indexOf('tidal');
  const neighbour = layerNames.indexOf(NEIGHBOUR_LAYER);
  const isTidal = (vertex: number): boolean =>
    (layers[vertex]! & (1 << tidal)) !== 0 && (neighbour < 0 || (layers[vertex]! & (1 << neighbour)) === 0);
  const kept: number[] = [];
  const starts: number[] = [0];
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    const last = lineStarts[line + 1]! - 1;
    for (let vertex = lineStarts[line]!; vertex <= last; vertex++) {
      const isBegun = kept.length / 2 > starts.at(-1)!;
      const goesOn = vertex < last && isTidal(vertex) && !isPoint(positions, vertex);
      if (isBegun || goesOn) kept.push(positions[vertex * 2]!, positions[vertex * 2 + 1]!);
      if (isBegun && !goesOn) starts.push(kept.length / 2);
    }
  }
  const count = kept.length / 2;
  return {
    ...shoreline,
    layerNames: ['tidal'],
    accuracy: { ...accuracy, radiusMeters: [accuracy.radiusMeters[tidal]!] },
    shoreNames: ['coast'],
    coverage: [],
    positions: Float64Array.from(kept),
    lineStarts: Uint32Array.from(starts),
    layers: new Uint16Array(count).fill(1),
    shores: new Uint8Array(count),
  };
}

/** A shoreline that ships with @leeward/coastline-us. */
export function shippedShoreline(source: 'gshhg' | 'osm'): Shoreline | undefined {
  const file = join(DATA, source, 'us.shoreline');
  return existsSync(file) ? decodeShoreline(readFileSync(file)) : undefined;
}

/** Leeward ignores segments without length, so peers get none. */
function isPoint(positions: Float64Array, vertex: number): boolean {
  const at = 2 * vertex;
  return positions[at] === positions[at + 2] && positions[at + 1] === positions[at + 3];
}
