import { type CoastAnswerFields, formatDecimal, type GeographicPoint, type Shoreline } from '@leeward/coast';
import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';
import { type Band, bands } from './bands.ts';
import { isSeen, ringsAbove, ringsPath, runsPath, smoothed, tenth } from './contour-paths.ts';
import { escaped } from './escaped.ts';
import { graticule, northArrow, scaleBar } from './furniture.ts';
import { LabelSpace, placeTowns, textWidth } from './labels.ts';
import { createMapView, type MapView, type Pixel } from './map-view.ts';
import type { PictureSubject } from './picture-subject.ts';
import { type ShoreSamples, sampleShore } from './sample-shore.ts';
import { waterLabel } from './water-label.ts';

/** A map, to place in an `svg` element with the style of `mapStyle()`. */
export interface DrawnMap {
  /** The content of an `svg` element of that size. */
  readonly content: string;
  readonly width: number;
  readonly height: number;
  /** The bands that show, the nearest first. */
  readonly bands: readonly Band[];
  /** True if the data ends within the picture. */
  readonly isPartial: boolean;
}

/** Minimum width of a map. Shores are accurate to some hundred meters, so closer maps would mislead. */
const CLOSEST_METERS = 2_400;
const CLOSEST_BY_RIVERS_METERS = 6_500;
/** A band narrower than this is a line. */
const MIN_PIXELS = 3;

/** In pixels. */
export interface MapSize {
  readonly width: number;
  readonly height: number;
  /** Pixels between samples of the shore: a coarser map takes less time. @default 2 */
  readonly step?: number;
}

/**
 * Draws the home, the shore, the way between them and the bands of distance; the same bytes for the same subject. Yields
 * between steps of some milliseconds.
 */
export function* drawMap(subject: PictureSubject, { width, height, step }: MapSize): Generator<void, DrawnMap> {
  const { answer } = subject;
  const view = createMapView({ width, height, middle: middleOf(answer), reachMeters: reachOf(subject) });
  const samples = yield* sampleShore(subject, view, step);
  yield;
  const bandsInView = shownBands(samples, view);
  const heights = smoothed(samples, view);
  const land = ringsAbove(samples, heights, 0).filter(isSeen);
  yield;
  const water = ringsAbove(
    samples,
    heights.map((value) => -value),
    0,
  ).filter(isSeen);
  const beyond = samples.covered.every((value) => value > 0)
    ? ''
    : ringsPath(
        ringsAbove(
          samples,
          samples.covered.map((value) => -value),
          0,
        ),
      );
  yield;
  const nearness = samples.distances.map((value) => -value);
  const bandPaths: string[] = [];
  for (const { className, meters } of bandsInView.toReversed()) {
    yield;
    const path = ringsPath(ringsAbove(samples, nearness, -meters));
    bandPaths.push(`<path class="${className}" fill-rule="evenodd" d="${path}"/>`);
  }
  yield;
  yield;
  const { lines, names } = graticule(view);
  const space = new LabelSpace(view);
  const marks = drawMarks(subject, view, space);
  const label = waterLabel(subject, samples, view, space);
  yield;
  const rivers = subject.rivers.map((river) => `<path class="river" d="${linesPath(river, view)}"/>`);
  yield;
  const towns = placeTowns(subject.towns, view, space, width > 600 ? 14 : 7);
  const content = [
    `<rect class="land" width="${width}" height="${height}"/>`,
    ...bandPaths,
    `<path class="water" fill-rule="evenodd" d="${ringsPath(water)}"/>`,
    ...rivers,
    `<path class="shore" d="${ringsPath(land)}"/>`,
    `<path class="counted" d="${runsPath(land, isCounted(samples, view))}"/>`,
    beyond === '' ? '' : `<path class="beyond" fill-rule="evenodd" d="${beyond}"/>`,
    lines,
    label,
    ...towns.map(
      ({ x, y, text, anchor, dot }) =>
        `<circle class="soft" cx="${tenth(dot.x)}" cy="${tenth(dot.y)}" r="1.7"/><text class="soft halo" font-size="11" text-anchor="${anchor}" x="${tenth(x)}" y="${tenth(y)}">${escaped(text)}</text>`,
    ),
    names,
    marks,
    scaleBar(view, 22, height - 28),
    northArrow(width - 32, 36),
    `<rect class="neat" x=".5" y=".5" width="${width - 1}" height="${height - 1}"/>`,
  ].join('\n');
  return { content, width, height, bands: bandsInView, isPartial: beyond !== '' };
}

function middleOf({ point, coast }: CoastAnswerFields): GeographicPoint {
  const east = coast.longitude - point.longitude;
  const turned = east - 360 * Math.round(east / 360);
  return { latitude: (point.latitude + coast.latitude) / 2, longitude: point.longitude + turned / 2 };
}

/** The home, the shore and the circles round them, with air about. */
function reachOf({ answer, errorRadiusMeters, rivers }: PictureSubject): number {
  const { distanceMeters, accuracyMeters, decidedBy } = answer;
  const isByRiver = rivers.some(({ name }) => name === decidedBy.distance);
  const circles = distanceMeters / 2 + 1.25 * Math.max(accuracyMeters, errorRadiusMeters);
  return Math.max(isByRiver ? CLOSEST_BY_RIVERS_METERS : CLOSEST_METERS, circles, 0.9 * distanceMeters);
}

/** The bands that some land shows and that are wide enough to be seen. */
function shownBands({ heights, distances, covered }: ShoreSamples, { metersPerPixel }: MapView): Band[] {
  let farthest = 0;
  heights.forEach((height, at) => {
    if (height > 0 && covered[at]! > 0) farthest = Math.max(farthest, distances[at]!);
  });
  return bands.filter(
    ({ meters }, at) => meters >= MIN_PIXELS * metersPerPixel && (bands[at - 1]?.meters ?? 0) < farthest,
  );
}

/** True if the definition counts this place of the shore. */
function isCounted({ distances, columns, toX, toY }: ShoreSamples, view: MapView): (x: number, y: number) => boolean {
  const step = toX(1) - toX(0);
  const within = 1.5 * step * view.metersPerPixel;
  return (x, y) => {
    const column = Math.round((x - toX(0)) / step);
    const row = Math.round((y - toY(0)) / step);
    return (distances[row * columns + column] ?? Number.POSITIVE_INFINITY) <= within;
  };
}

/** Draws the home, the nearest point, the line between them, and both accuracies. Reserves their space. */
function drawMarks({ answer, errorRadiusMeters }: PictureSubject, view: MapView, space: LabelSpace): string {
  const home = view.toPixel(answer.point);
  const nearest = view.toPixel(answer.coast);
  const radius = answer.accuracyMeters / view.metersPerPixel;
  const homeRadius = errorRadiusMeters / view.metersPerPixel;
  const { width, height } = view;
  space.take({ left: 0, top: height - 62, right: 225, bottom: height });
  space.take({ left: width - 60, top: 0, right: width, bottom: 64 });
  for (const { x, y } of alongWay(home, nearest)) space.take({ left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 });
  return [
    homeRadius > 5 ? `<circle class="ofHome" ${circleAt(home, homeRadius)}/>` : '',
    radius > 4 ? `<circle class="radius" ${circleAt(nearest, radius)}/>` : '',
    `<path class="way" d="M${tenth(home.x)} ${tenth(home.y)}L${tenth(nearest.x)} ${tenth(nearest.y)}"/>`,
    `<circle class="foot" ${circleAt(nearest, 4.5)}/>`,
    `<circle class="home" ${circleAt(home, 7)}/>`,
    distanceLabel(answer, home, nearest, space),
  ].join('');
}

function alongWay(home: Pixel, nearest: Pixel): Pixel[] {
  const count = Math.ceil(Math.hypot(nearest.x - home.x, nearest.y - home.y) / 14) + 1;
  return Array.from({ length: count + 1 }, (_, at) => ({
    x: home.x + ((nearest.x - home.x) * at) / count,
    y: home.y + ((nearest.y - home.y) * at) / count,
  }));
}

/** `0.41 mi` over `658 m`, next to the middle of the line or in free space. */
function distanceLabel({ distanceMeters }: CoastAnswerFields, home: Pixel, nearest: Pixel, space: LabelSpace): string {
  const [american, metric] = distanceTexts(distanceMeters);
  const wide = Math.max(textWidth(american, 15), textWidth(metric, 11)) + 4;
  const length = Math.hypot(nearest.x - home.x, nearest.y - home.y) || 1;
  const [across, down] = [-(nearest.y - home.y) / length, (nearest.x - home.x) / length];
  const around = [0.5, 0.3, 0.7, 0, 1].flatMap((share) =>
    [1, -1].flatMap((side) =>
      [15, 26].map((away) => {
        const x = home.x + (nearest.x - home.x) * share + side * across * away;
        const y = home.y + (nearest.y - home.y) * share + side * down * away;
        const isLeft = side * across < -0.3;
        const isBeside = Math.abs(across) > 0.3;
        const left = isBeside ? (isLeft ? x - wide : x) : x - wide / 2;
        const top = side * down > 0.3 ? y : side * down < -0.3 ? y - 30 : y - 15;
        const anchor = isBeside ? (isLeft ? 'end' : 'start') : 'middle';
        return {
          x: anchor === 'start' ? left : anchor === 'end' ? left + wide : x,
          top,
          anchor,
          rectangle: { left, right: left + wide, top, bottom: top + 30 },
        };
      }),
    ),
  );
  const { x, top, anchor } = space.takeFirst(around) ?? around[0]!;
  return [
    `<text class="ink halo serif" font-size="15" font-weight="600" text-anchor="${anchor}" x="${tenth(x)}" y="${tenth(top + 14)}">${american}</text>`,
    `<text class="ink halo" font-size="11" text-anchor="${anchor}" x="${tenth(x)}" y="${tenth(top + 28)}">${metric}</text>`,
  ].join('');
}

/** Feet below a quarter of a mile, else miles; metres below ten kilometres, else kilometres. */
export function distanceTexts(meters: number): [string, string] {
  const miles = meters / METERS_PER_MILE;
  const feet = Math.round(meters / METERS_PER_FOOT).toLocaleString('en-US');
  const american = miles < 0.25 ? `${feet} ft` : `${formatDecimal(miles, miles < 100 ? 2 : 0)} mi`;
  const metric =
    meters < 10_000 ? `${Math.round(meters).toLocaleString('en-US')} m` : `${formatDecimal(meters / 1_000, 1)} km`;
  return [american, metric];
}

function circleAt({ x, y }: Pixel, radius: number): string {
  return `cx="${tenth(x)}" cy="${tenth(y)}" r="${tenth(radius)}"`;
}

/** Beyond the edges, in pixels: a line that leaves the picture leaves it whole. */
const MARGIN = 20;

/** Lines as the data of a path, as far as they run through the picture. */
function linesPath({ positions, lineStarts }: Pick<Shoreline, 'positions' | 'lineStarts'>, view: MapView): string {
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
