import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  buildCoastIndex,
  type Coast,
  CoastError,
  createCoast,
  type GeographicPoint,
  type Shoreline,
} from '@leeward/coast';
import { readShoreline } from '@leeward/coast-builder';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { loadZipGazetteer } from '@leeward/places/zips';
import { createRandom } from '../../../test/support/random.ts';

/** Land by another source than ours. */
export interface LandPlace extends GeographicPoint {
  /** Distance inside the land of both outlines; negative outside of one. */
  readonly outlineMeters: number;
}

/**
 * Census's outline (us-atlas) includes lakes and sounds behind the coast, Natural Earth's (world-atlas) far fewer; both are drawn at
 * 1:10,000,000 and err by some hundred meters, in fjords and marshes by kilometers. Places this far inside both are land, except for
 * small waters.
 */
export const LAND_DOUBT_METERS = [0, 500, 1_000, 2_000, 3_000] as const;
const REACH_METERS = 25_000;
/** No outline beyond this is the nearest: nine tenths of the world's, which take a second to index. */
const OUTLINE_MARGIN_DEGREES = 5;

const outlines = [
  await outlineOf('us-atlas/nation-10m.json', 'nation'),
  await outlineOf('world-atlas/land-10m.json', 'land'),
];

async function outlineOf(module: string, object: string): Promise<Coast> {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(module));
  const { shoreline } = await readShoreline([{ name: module, bytes, object }], {
    name: module,
    maxSegmentMeters: false,
  });
  return createCoast(buildCoastIndex(nearCoverage(shoreline)));
}

/** In or near the coverage of our shores. */
function nearCoverage(shoreline: Shoreline): Shoreline {
  const boxes = loadCoastlineUs().datasets[0]!.coverage;
  const { positions, lineStarts, layers, shores } = shoreline;
  const isNear = (vertex: number): boolean => {
    const longitude = positions[vertex * 2]!;
    const latitude = positions[vertex * 2 + 1]!;
    return boxes.some(
      ({ west, south, east, north }) =>
        longitude > west - OUTLINE_MARGIN_DEGREES &&
        longitude < east + OUTLINE_MARGIN_DEGREES &&
        latitude > south - OUTLINE_MARGIN_DEGREES &&
        latitude < north + OUTLINE_MARGIN_DEGREES,
    );
  };
  const kept: number[] = [];
  const starts: number[] = [0];
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    for (let vertex = lineStarts[line]!; vertex < lineStarts[line + 1]!; vertex++) {
      if (isNear(vertex)) kept.push(vertex);
      else if (kept.length > starts.at(-1)!) starts.push(kept.length);
    }
    if (kept.length > starts.at(-1)!) starts.push(kept.length);
  }
  return {
    ...shoreline,
    positions: Float64Array.from({ length: kept.length * 2 }, (_, at) => positions[kept[at >> 1]! * 2 + (at & 1)]!),
    lineStarts: Uint32Array.from(starts),
    layers: Uint16Array.from(kept, (vertex) => layers[vertex]!),
    shores: Uint8Array.from(kept, (vertex) => shores[vertex]!),
  };
}

/** Evenly on the land of both outlines within 25 km of the tidal shore. */
export function landPlaces(coast: Coast, count: number, seed: number): LandPlace[] {
  const random = createRandom(seed);
  const boxes = coast.datasets[0]!.coverage;
  // By area, and by the cosine within each: degrees are narrower in the north.
  const cells = boxes.flatMap((box) => cellsNear(coast, box));
  const weights = cells.map(({ latitude }) => Math.cos((latitude * Math.PI) / 180));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const cumulative: number[] = [];
  weights.reduce((sum, weight, at) => (cumulative[at] = sum + weight), 0);
  const places: LandPlace[] = [];
  while (places.length < count) {
    const wanted = random() * total;
    let [low, high] = [0, cells.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    const point = {
      latitude: cells[low]!.latitude + (random() - 0.5) * CELL_DEGREES,
      longitude: cells[low]!.longitude + (random() - 0.5) * CELL_DEGREES,
    };
    const place = within(coast, point);
    if (place !== undefined && place.outlineMeters >= 0) places.push(place);
  }
  return places;
}

const CELL_DEGREES = 0.1;

function cellsNear(
  coast: Coast,
  { west, south, east, north }: Coast['datasets'][number]['coverage'][number],
): GeographicPoint[] {
  const cells: GeographicPoint[] = [];
  for (let latitude = south + CELL_DEGREES / 2; latitude < north; latitude += CELL_DEGREES) {
    for (let longitude = west + CELL_DEGREES / 2; longitude < east; longitude += CELL_DEGREES) {
      if (coast.nearest({ latitude, longitude }).distanceMeters < REACH_METERS + 8_000)
        cells.push({ latitude, longitude });
    }
  }
  return cells;
}

/** ZIP points, where people live; `every` takes one of that many. */
export async function zipPlaces(coast: Coast, every = 1): Promise<LandPlace[]> {
  const gazetteer = await loadZipGazetteer();
  const places = new Map<string, LandPlace>();
  for (let zip = 0; zip < 100_000; zip += every) {
    const point = gazetteer.find(String(zip).padStart(5, '0'));
    if (point === undefined) continue;
    const key = `${point.latitude} ${point.longitude}`;
    const place = places.has(key) ? undefined : within(coast, point);
    if (place !== undefined) places.set(key, place);
  }
  return [...places.values()];
}

function within(coast: Coast, { latitude, longitude }: GeographicPoint): LandPlace | undefined {
  try {
    if (coast.nearest({ latitude, longitude }).distanceMeters > REACH_METERS) return undefined;
  } catch (error) {
    if (error instanceof CoastError) return undefined;
    throw error;
  }
  const depths = outlines.map((outline) => {
    const { side, distanceMeters } = outline.nearest({ latitude, longitude });
    return side === 'land' ? distanceMeters : -distanceMeters;
  });
  return { latitude, longitude, outlineMeters: Math.min(...depths) };
}
