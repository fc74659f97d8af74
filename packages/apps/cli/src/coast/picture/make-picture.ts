import { readFileSync } from 'node:fs';
import { type Coast, type CoastAnswerFields, decodeShoreline, type Shoreline } from '@leeward/coast';
import { type CoastlineUsSource, loadCoastlineUs, tidalWaterFiles } from '@leeward/coastline-us';
import type { FoundPlace } from '@leeward/http/distance';
import type { ZipGazetteer } from '@leeward/places/zips';
import { coastHtml, PAGE_MAPS } from './coast-html.ts';
import { coastSvg, SHEET_MAP } from './coast-svg.ts';
import { drawMap } from './draw-map.ts';
import type { Town } from './labels.ts';
import type { PictureSubject } from './picture-subject.ts';
import { type PictureWords, pictureWords } from './picture-words.ts';

export interface PictureRequest {
  readonly coast: Coast;
  readonly answer: CoastAnswerFields;
  readonly place: FoundPlace;
  readonly definition: string;
  readonly gazetteer: ZipGazetteer;
  readonly title?: string | undefined;
}

/** The picture of an answer, drawn on demand. Equal data gives equal bytes. */
export interface Picture {
  readonly words: PictureWords;
  svg(): string;
  html(): string;
}

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
    svg: () => coastSvg(drawMap(subject, SHEET_MAP), words),
    html: () =>
      coastHtml({ wide: drawMap(subject, PAGE_MAPS.wide), narrow: drawMap(subject, PAGE_MAPS.narrow) }, words),
  };
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

/** The tidal rivers that the coast itself knows. */
function riversOf({ tidalWaters }: Coast): Shoreline[] {
  const river = decodeShoreline(readFileSync(tidalWaterFiles.tidalRivers));
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
