import { oceanBits, settleShortRuns } from './classify-segments.ts';
import type { LandMask } from './land-mask.ts';
import { layerBit, OCEAN_RADII_METERS } from './layers.ts';
import type { LineSet } from './line-set.ts';
import type { OpenWater } from './open-water.ts';
import { SHORE_NAMES, shoreNameIndex } from './shore-names.ts';
import { keptVertices } from './thin-lines.ts';

export interface ClassedLines extends LineSet {
  readonly layers: Uint16Array;
  readonly shores: Uint8Array;
}

export interface Waters {
  readonly mask: LandMask;
  readonly open: OpenWater;
}

/** The part of a source that goes into its file. Functions take a vertex. */
export interface Selection {
  readonly toleranceMeters: (vertex: number) => number;
  readonly isNear: (vertex: number) => boolean;
  /** 1 at the first vertex of a segment that is not shore: it stays in its ring, without a layer. */
  readonly closings?: Uint8Array;
}

/** Thins, removes far neighbours, and sets layers and water of each segment. */
export function assemble(
  lines: LineSet,
  american: Uint8Array,
  { toleranceMeters, isNear, closings }: Selection,
  waters: Waters | 'great lakes',
): ClassedLines {
  const p = lines.positions;
  const kept = keptVertices(lines, toleranceMeters);
  closings?.forEach((isClosing, v) => {
    if (isClosing === 1) kept.fill(1, v, v + 2);
  });
  const positions: number[] = [];
  const layers: number[] = [];
  const shores: number[] = [];
  const lineStarts = [0];
  for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
    const run: number[] = [];
    for (let v = lines.lineStarts[line]!; v < lines.lineStarts[line + 1]!; v++) {
      if (kept[v] === 0) continue;
      if (american[v] === 0 && !isNear(v)) flush();
      else run.push(v);
    }
    flush();

    function flush(): void {
      const vertices = run.splice(0);
      if (vertices.length < 2) return;
      for (const bits of lineLayers(vertices, p, american, closings, waters)) layers.push(bits);
      for (const v of vertices) {
        positions.push(p[2 * v]!, p[2 * v + 1]!);
        shores.push(
          waters === 'great lakes' ? SHORE_NAMES.indexOf('Great Lakes') : shoreNameIndex(p[2 * v]!, p[2 * v + 1]!),
        );
      }
      lineStarts.push(positions.length / 2);
    }
  }
  return {
    positions: Float64Array.from(positions),
    lineStarts: Uint32Array.from(lineStarts),
    layers: Uint16Array.from(layers),
    shores: Uint8Array.from(shores),
  };
}

function lineLayers(
  vertices: readonly number[],
  p: Float64Array,
  american: Uint8Array,
  closings: Uint8Array | undefined,
  waters: Waters | 'great lakes',
): number[] {
  const segments = vertices.length - 1;
  const ocean = new Uint8Array(segments);
  const lengths = new Float64Array(segments);
  if (waters !== 'great lakes') {
    for (let i = 0; i < segments; i++) {
      const a = [p[2 * vertices[i]!]!, p[2 * vertices[i]! + 1]!] as const;
      const b = [p[2 * vertices[i + 1]!]!, p[2 * vertices[i + 1]! + 1]!] as const;
      lengths[i] = 111_195 * Math.hypot((b[0] - a[0]) * Math.cos(a[1] * (Math.PI / 180)), b[1] - a[1]);
      ocean[i] = nested(oceanBits(a, b, waters.mask, waters.open, OCEAN_RADII_METERS.length));
    }
    for (let bit = 0; bit < OCEAN_RADII_METERS.length; bit++) settleShortRuns(ocean, lengths, bit, 400);
  }
  const base = layerBit(waters === 'great lakes' ? 'great_lakes' : 'tidal');
  const result: number[] = [];
  for (let i = 0; i < segments; i++) {
    if (closings?.[vertices[i]!] === 1) {
      result.push(0);
      continue;
    }
    const isOurs = american[vertices[i]!] === 1 && american[vertices[i + 1]!] === 1;
    result.push(base | (nested(ocean[i]!) * layerBit('ocean_narrow')) | (isOurs ? 0 : layerBit('neighbour')));
  }
  result.push(0);
  return result;
}

/** A wide ocean is an ocean, and an ocean a narrow one: near a mouth the corner of the wide disk reaches further in. */
function nested(bits: number): number {
  return bits & 4 ? 7 : bits & 2 ? 3 : bits;
}
