import type { LineSet } from '../line-set.ts';
import type { View } from './draw-bands.ts';

export interface ShoreLines {
  readonly label: string;
  readonly color: string;
  readonly width: number;
  readonly dashes?: string;
  readonly lines: LineSet;
}

export const SHORE_COLORS = { land: '#efe6d0', water: '#cfe3ef', ink: '#222222', paper: '#ffffff' } as const;
const BAR_METERS = [500, 1_000, 2_000, 5_000];

/** An SVG of shorelines over each other, on the land inside `rings`, with a legend and a scale bar. */
export function drawShores(
  title: string,
  view: View,
  rings: LineSet,
  shores: readonly ShoreLines[],
  width: number,
): { readonly svg: string; readonly height: number } {
  const middle = Math.cos(((view.south + view.north) / 2) * (Math.PI / 180));
  const height = Math.round((width * (view.north - view.south)) / ((view.east - view.west) * middle));
  const metersPerPixel = ((view.north - view.south) * 111_195) / height;
  const x = (longitude: number): string => (((longitude - view.west) / (view.east - view.west)) * width).toFixed(1);
  const y = (latitude: number): string => (((view.north - latitude) / (view.north - view.south)) * height).toFixed(1);
  const toPath = (points: readonly (readonly [number, number])[]): string =>
    `M${points.map(([longitude, latitude]) => `${x(longitude)} ${y(latitude)}`).join('L')}`;

  const land = clippedRings(rings, view).map((ring) => `${toPath(ring)}Z`);
  const drawn = shores.map(
    ({ color, width: stroke, dashes, lines }) =>
      `<path d="${piecesIn(lines, view).map(toPath).join('')}" fill="none" stroke="${color}" stroke-width="${stroke}" stroke-linejoin="round"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}/>`,
  );
  const barMeters = BAR_METERS.filter((meters) => meters / metersPerPixel < width / 4).at(-1) ?? BAR_METERS[0]!;
  const bar = barMeters / metersPerPixel;
  const legendHeight = 44 + 24 * shores.length;
  const legend = shores.map(
    ({ label, color, width: stroke, dashes }, row) =>
      `<line x1="22" x2="62" y1="${59 + 24 * row}" y2="${59 + 24 * row}" stroke="${color}" stroke-width="${stroke + 0.5}"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}/><text x="72" y="${64 + 24 * row}">${label}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans, sans-serif" font-size="15" fill="${SHORE_COLORS.ink}">
<rect width="100%" height="100%" fill="${SHORE_COLORS.water}"/><path d="${land.join('')}" fill="${SHORE_COLORS.land}"/>
${drawn.join('\n')}
<rect x="10" y="10" width="350" height="${legendHeight}" fill="${SHORE_COLORS.paper}"/><text x="22" y="36" font-weight="bold">${title}</text>${legend.join('')}
<rect x="${width - bar - 40}" y="${height - 52}" width="${bar + 30}" height="42" fill="${SHORE_COLORS.paper}"/>
<text x="${width - 25 - bar / 2}" y="${height - 34}" text-anchor="middle">${barMeters < 1_000 ? `${barMeters} m` : `${barMeters / 1_000} km`}</text>
<rect x="${width - bar - 25}" y="${height - 26}" width="${bar}" height="5"/>
</svg>`;
  return { svg, height };
}

/** The runs of segments that touch the view. */
function piecesIn({ positions, lineStarts }: LineSet, view: View): [number, number][][] {
  const pieces: [number, number][][] = [];
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    let piece: [number, number][] = [];
    for (let v = lineStarts[line]!; v + 1 < lineStarts[line + 1]!; v++) {
      const [x0, y0, x1, y1] = positions.subarray(2 * v, 2 * v + 4) as unknown as [number, number, number, number];
      const isIn =
        Math.max(x0, x1) >= view.west &&
        Math.min(x0, x1) <= view.east &&
        Math.max(y0, y1) >= view.south &&
        Math.min(y0, y1) <= view.north;
      if (!isIn) {
        if (piece.length > 0) pieces.push(piece);
        piece = [];
        continue;
      }
      if (piece.length === 0) piece.push([x0, y0]);
      piece.push([x1, y1]);
    }
    if (piece.length > 0) pieces.push(piece);
  }
  return pieces;
}

/** Cuts rings at the four sides of the view (Sutherland and Hodgman). */
function clippedRings({ positions, lineStarts }: LineSet, view: View): [number, number][][] {
  const clipped: [number, number][][] = [];
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    let ring: [number, number][] = [];
    for (let v = lineStarts[line]!; v + 1 < lineStarts[line + 1]!; v++)
      ring.push([positions[2 * v]!, positions[2 * v + 1]!]);
    ring = cut(ring, 0, view.west, 1);
    ring = cut(ring, 0, view.east, -1);
    ring = cut(ring, 1, view.south, 1);
    ring = cut(ring, 1, view.north, -1);
    if (ring.length > 2) clipped.push(ring);
  }
  return clipped;
}

function cut(ring: readonly [number, number][], axis: 0 | 1, limit: number, sign: 1 | -1): [number, number][] {
  const kept: [number, number][] = [];
  for (let i = 0; i < ring.length; i++) {
    const a = ring[i]!;
    const b = ring[(i + 1) % ring.length]!;
    const isInA = sign * (a[axis] - limit) >= 0;
    const isInB = sign * (b[axis] - limit) >= 0;
    if (isInA) kept.push(a);
    if (isInA === isInB) continue;
    const t = (limit - a[axis]) / (b[axis] - a[axis]);
    kept.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
  }
  return kept;
}
