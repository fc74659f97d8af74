import type { Shoreline } from '@leeward/coast';
import { tenth } from './contour-paths.ts';
import type { MapView } from './map-view.ts';

/** Beyond the edges, in pixels: a line that leaves the picture leaves it whole. */
const MARGIN = 20;

/** Lines as the data of a path, as far as they run through the picture. */
export function linesPath(
  { positions, lineStarts }: Pick<Shoreline, 'positions' | 'lineStarts'>,
  view: MapView,
): string {
  const parts: string[] = [];
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    let run: string[] = [];
    const end = lineStarts[line + 1]!;
    for (let vertex = lineStarts[line]!; vertex < end; vertex++) {
      const { x, y } = view.toPixel({ longitude: positions[2 * vertex]!, latitude: positions[2 * vertex + 1]! });
      const isInside = x > -MARGIN && y > -MARGIN && x < view.width + MARGIN && y < view.height + MARGIN;
      const text = `${tenth(x)} ${tenth(y)}`;
      if (isInside && run.at(-1) !== text) run.push(text);
      if (isInside && vertex + 1 < end) continue;
      if (run.length > 1) parts.push(`M${run.join('L')}`);
      run = [];
    }
  }
  return parts.join('');
}
