import { type Coast, METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/coast';
import type { Picture } from './png.ts';

export interface View {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Upper limits of the bands on land, with colors, also beyond the last. */
const LIMITS_METERS = [1_000 * METERS_PER_FOOT, METERS_PER_MILE, 5 * METERS_PER_MILE, 15 * METERS_PER_MILE];
const BANDS: readonly (readonly [number, number, number])[] = [
  [165, 15, 21],
  [222, 65, 40],
  [251, 154, 89],
  [253, 220, 170],
  [246, 244, 236],
];
const WATER = [163, 201, 226] as const;
const SHORE = [18, 52, 86] as const;
const PAPER = [255, 255, 255] as const;

const WATER_COLOUR = BANDS.length;
const SHORE_COLOUR = BANDS.length + 1;
const PAPER_COLOUR = BANDS.length + 2;

const GAP = 8;

/** One panel per definition: land in bands of distance (1,000 ft, 1 mi, 5 mi, 15 mi, beyond), water, and the shore of the definition. */
export function drawBands(coast: Coast, view: View, definitions: readonly string[], panelWidth: number): Picture {
  const middle = Math.cos(((view.south + view.north) / 2) * (Math.PI / 180));
  const height = Math.round((panelWidth * (view.north - view.south)) / ((view.east - view.west) * middle));
  const width = definitions.length * panelWidth + (definitions.length - 1) * GAP;
  const pixels = new Uint8Array(width * height).fill(PAPER_COLOUR);
  const pixelMeters = ((view.north - view.south) / height) * 111_195;
  for (let y = 0; y < height; y++) {
    const latitude = view.north - ((y + 0.5) / height) * (view.north - view.south);
    for (let x = 0; x < panelWidth; x++) {
      const longitude = view.west + ((x + 0.5) / panelWidth) * (view.east - view.west);
      const point = { latitude, longitude };
      // Equal for all panels: any shore determines land and water.
      const isWater = coast.nearest(point, { layers: ['tidal'], neighbours: true }).side === 'water';
      definitions.forEach((definition, panel) => {
        const { distanceMeters } = coast.nearest(point, definition);
        const band = LIMITS_METERS.findIndex((limit) => distanceMeters < limit);
        const colour =
          distanceMeters < 0.7 * pixelMeters
            ? SHORE_COLOUR
            : isWater
              ? WATER_COLOUR
              : band < 0
                ? BANDS.length - 1
                : band;
        pixels[y * width + panel * (panelWidth + GAP) + x] = colour;
      });
    }
  }
  return { width, height, pixels, palette: [...BANDS, WATER, SHORE, PAPER] };
}
