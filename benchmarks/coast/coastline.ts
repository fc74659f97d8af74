import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeShoreline, NEIGHBOUR_LAYER, type Shoreline } from '@leeward/coast';

/** Around the United States: longitude from … to, latitude from … to. */
const BOXES: readonly (readonly [number, number, number, number])[] = [
  [-125.5, -66.5, 24, 49.5],
  [-180, -129.5, 50.5, 72],
  [160, 180, 50.5, 60],
  [-161, -154, 18, 23],
  [-68, -64, 17, 19],
  [140, 150, 13, 21],
  [-171.5, -168, -15, -10.5],
];

export interface Coastline {
  readonly shoreline: Shoreline;
  /** True for the full GSHHG. The minimum ratios apply to it. */
  readonly isFull: boolean;
  readonly label: string;
}

/** GSHHG's full coastline of the United States where GMT has it (apt-get install gmt gmt-gshhg-full), else the one shipped. */
export function loadCoastline(): Coastline {
  const pieces = ['-R-180/-60/-16/75', '-R140/180/10/60'].map(dumpGshhg);
  if (pieces.every((text) => text !== undefined)) {
    const shoreline = parseDump(pieces.filter((text) => text !== undefined));
    return { shoreline, isFull: true, label: `GSHHG full, ${shoreline.layers.length} vertices` };
  }
  const shipped = shippedShoreline('gshhg');
  const shoreline = shipped && tidalPart(shipped);
  if (shoreline === undefined) throw new Error('neither GMT with gmt-gshhg-full nor @leeward/coastline-us is there');
  return {
    shoreline,
    isFull: false,
    label: `GSHHG as shipped, its tidal part, ${shoreline.layers.length} vertices (GMT's full GSHHG is not installed: floors are meant for that)`,
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
      const goesOn = vertex < last && isTidal(vertex);
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
  const file = join(
    import.meta.dirname,
    '..',
    '..',
    'packages',
    'core',
    'coastline-us',
    'data',
    source,
    'us.shoreline',
  );
  return existsSync(file) ? decodeShoreline(readFileSync(file)) : undefined;
}

/** Ocean shores (level 1) at full resolution, dumped as text. */
function dumpGshhg(region: string): string | undefined {
  const { status, stdout } = spawnSync('gmt', ['coast', '-M', '-Df', '-W1/0.25p', region], {
    maxBuffer: 2 ** 29,
    encoding: 'latin1',
  });
  return status === 0 && stdout.length > 10_000_000 / (region.startsWith('-R140') ? 10 : 1) ? stdout : undefined;
}

function parseDump(texts: readonly string[]): Shoreline {
  const positions: number[] = [];
  const starts: number[] = [0];
  const endLine = (): void => {
    const first = starts.at(-1)!;
    const count = positions.length / 2;
    if (count - first === 1) positions.length -= 2;
    else if (count > first) starts.push(count);
  };
  for (const text of texts) {
    for (const line of text.split('\n')) {
      const tab = line.indexOf('\t');
      const east = Number(line.slice(0, tab));
      const latitude = Number(line.slice(tab + 1));
      const longitude = east > 180 ? east - 360 : east;
      const wanted =
        tab > 0 &&
        !line.startsWith('>') &&
        BOXES.some(
          ([west, far, south, north]) =>
            longitude >= west && longitude <= far && latitude >= south && latitude <= north,
        );
      if (wanted) positions.push(longitude, latitude);
      else endLine();
    }
    endLine();
  }
  const count = positions.length / 2;
  return {
    name: 'gshhg-full',
    version: '2.3.7',
    attribution: 'GSHHG, LGPL-3.0-or-later',
    layerNames: ['tidal'],
    shoreNames: ['coast'],
    water: 'unknown',
    accuracy: { radiusMeters: [600], method: 'not measured here' },
    coverage: [],
    positions: Float64Array.from(positions),
    lineStarts: Uint32Array.from(starts),
    layers: new Uint16Array(count).fill(1),
    shores: new Uint8Array(count),
  };
}
