import { readFileSync } from 'node:fs';
import { type Coast, type CoastAnswerFields, decodeShoreline, type Shoreline } from '@leeward/coast';
import { type CoastlineUsSource, loadCoastlineUs, tidalWaterFiles } from '@leeward/coastline-us';
import { nextTurn, type Turn } from '@leeward/engine/compiled';
import type { FoundPlace } from '@leeward/http/distance';
import type { ZipGazetteer } from '@leeward/places/zips';
import { coastSvg, SHEET_MAP } from './coast-svg.ts';
import { type DrawnMap, drawMap, type MapSize } from './draw-map.ts';
import type { Town } from './labels.ts';
import type { PictureSubject } from './picture-subject.ts';
import { type PictureWords, pictureWords } from './picture-words.ts';

/** A shore and the answer to draw. */
export interface PictureRequest {
  readonly coast: Coast;
  readonly answer: CoastAnswerFields;
  readonly place: FoundPlace;
  /** The counted layer: `tidal`. */
  readonly definition: string;
  /** Towns to name. */
  readonly gazetteer: ZipGazetteer;
  /** @default the address, or the coordinates */
  readonly title?: string | undefined;
}

/** The picture of an answer, drawn on demand. Equal data gives equal bytes. */
export interface Picture {
  readonly words: PictureWords;
  /** One file: title, map, legend and caption. */
  svg(): string;
  /** The map alone, for a page with the style of `mapStyle()`. */
  map(size: MapSize): DrawnMap;
  /** Like `map`, but yields to other work. */
  mapInSlices(size: MapSize, turn: Turn): Promise<DrawnMap>;
}

/**
 * Prepares the picture of a home and its nearest shore.
 *
 * @example
 * const coast = loadCoastlineUs();
 * const place = await findPlace({ lat: 25.7825, lng: -80.134 }, {});
 * const answer = coast.nearest(place, 'tidal');
 * const svg = makePicture({ coast, answer, place, definition: 'tidal', gazetteer: await loadZipGazetteer() }).svg();
 */
export function makePicture({ coast, answer, place, definition, gazetteer, title }: PictureRequest): Picture {
  const towns = townsNear(answer, gazetteer);
  const subject: PictureSubject = {
    coast,
    answer,
    definition,
    alone: aloneOf(coast),
    errorRadiusMeters: place.errorRadiusMeters,
    towns,
    rivers: answer.definition.layers.includes(TIDAL_LAYER) ? riversOf(coast) : [],
  };
  const words = pictureWords({ answer, place, definition, title });
  return {
    words,
    svg: () => coastSvg(atOnce(drawMap(subject, SHEET_MAP)), words),
    map: (size) => atOnce(drawMap(subject, size)),
    async mapInSlices(size, turn) {
      const steps = drawMap(subject, size);
      for (;;) {
        await nextTurn(turn);
        const { done, value } = steps.next();
        if (done) return value;
      }
    },
  };
}

function atOnce(steps: Generator<void, DrawnMap>): DrawnMap {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Each of the two shipped sources alone. */
function aloneOf({ datasets }: Coast): PictureSubject['alone'] {
  return (dataset) => {
    const source = SHIPPED[dataset];
    if (datasets.length < 2 || source === undefined) return undefined;
    return loadCoastlineUs({ sources: [source], tidalWaters: false });
  };
}

/** The shipped works by the names of their data. */
const SHIPPED: Readonly<Record<string, CoastlineUsSource>> = { 'osm-us': 'osm', 'gshhg-us': 'gshhg' };

/** The layer that counts rivers, too. */
const TIDAL_LAYER = 'tidal';

let tidalRivers: Shoreline | undefined;

/** The tidal rivers that the coast itself knows. The file is read once. */
function riversOf({ tidalWaters }: Coast): Shoreline[] {
  tidalRivers ??= decodeShoreline(readFileSync(tidalWaterFiles.tidalRivers));
  const river = tidalRivers;
  return tidalWaters.some(({ name }) => name === river.name) ? [river] : [];
}

const MAX_ZIPS = 600;
const MIN_REACH_METERS = 4_000;

/** Towns around the line, those with more ZIP codes first, as a substitute for population. */
function townsNear({ point, distanceMeters, accuracyMeters }: CoastAnswerFields, gazetteer: ZipGazetteer): Town[] {
  const reach = 3 * Math.max(MIN_REACH_METERS, distanceMeters, accuracyMeters);
  const byName = new Map<string, { name: string; latitude: number; longitude: number; zips: number }>();
  for (const { zipPoint } of gazetteer.nearest(point, MAX_ZIPS, reach)) {
    const { city, state, latitude, longitude } = zipPoint;
    if (city === undefined) continue;
    const key = `${city}, ${state}`;
    const townOfName = byName.get(key);
    if (townOfName === undefined) byName.set(key, { name: city, latitude, longitude, zips: 1 });
    else townOfName.zips += 1;
  }
  return [...byName.values()].sort((one, other) => other.zips - one.zips || (one.name < other.name ? -1 : 1));
}
