import type { MapData, Town } from './map-data.ts';
import type { Isoline, MapPaths, MapView, Pixel } from './map-picture.ts';

export interface Label {
  readonly kind: 'town' | 'area' | 'isoline';
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
  /** The town. */
  readonly dot?: Pixel;
  /** The isoline. */
  readonly place?: number;
}

const LINE_HEIGHT = 16;
const MAX_TOWNS = 9;
const MAX_AREAS = 6;
/** Between a label of an isoline and the home. */
const CLEAR_OF_HOME = 48;

/** About the width of a text: no font is measured. */
const widthOf = (text: string) => text.length * 7 + 6;

interface Rectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** With its text, and a shorter one for narrow land. */
export interface LabelledIsoline extends Isoline {
  readonly texts: readonly string[];
}

/**
 * Places words where they cover neither each other nor the home and its line: distances first, then counties or states, then towns, the largest
 * first.
 */
export function placeLabels(
  data: MapData,
  view: MapView,
  { isLand }: MapPaths,
  isolines: readonly LabelledIsoline[],
  nearest: Pixel,
): Label[] {
  const { width, height, home } = view;
  const occupied: Rectangle[] = [
    // The scale.
    { left: 0, right: 150, top: height - 40, bottom: height },
    { left: home[0] - 20, right: home[0] + 20, top: home[1] - 34, bottom: home[1] + 8 },
    ...alongLine(home, nearest).map(([x, y]) => ({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 })),
  ];
  const isFree = ({ left, right, top, bottom }: Rectangle) =>
    left >= 4 &&
    right <= width - 4 &&
    top >= 4 &&
    bottom <= height - 4 &&
    occupied.every((each) => right < each.left || left > each.right || bottom < each.top || top > each.bottom);
  const labels: Label[] = [];
  const placeFirst = (candidates: Iterable<Label>): boolean => {
    for (const label of candidates) {
      const wide = widthOf(label.text);
      const left = label.anchor === 'start' ? label.x : label.anchor === 'end' ? label.x - wide : label.x - wide / 2;
      const rectangle = { left, right: left + wide, top: label.y - LINE_HEIGHT + 4, bottom: label.y + 4 };
      if (!isFree(rectangle)) continue;
      occupied.push(rectangle);
      labels.push(label);
      return true;
    }
    return false;
  };
  const middle = (kind: Label['kind'], text: string, x: number, y: number): Label => ({
    kind,
    text,
    x,
    y,
    anchor: 'middle',
  });

  const isOnLand = ({ text, x, y }: Label) =>
    isLand(x - widthOf(text) / 2, y) && isLand(x, y) && isLand(x + widthOf(text) / 2, y);

  for (const [place, { texts, runs }] of isolines.entries()) {
    const fromHome = ([x, y]: Pixel) => Math.hypot(x - home[0], y - home[1]);
    const points = runs.flat().filter((point) => fromHome(point) > CLEAR_OF_HOME);
    points.sort((one, other) => fromHome(one) - fromHome(other));
    const labelsOf = (text: string) =>
      points.filter((_, at) => at % 4 === 0).map(([x, y]) => ({ ...middle('isoline', text, x, y - 5), place }));
    const candidates = texts.map(labelsOf);
    placeFirst([...candidates.flatMap((each) => each.filter(isOnLand)), ...(candidates.at(-1) ?? [])]);
  }

  const inPicture = (place: { readonly longitude: number; readonly latitude: number }) => {
    const [x, y] = view.project(place.longitude, place.latitude);
    return x > 0 && x < width && y > 0 && y < height ? ([x, y] as const) : undefined;
  };
  const towns = data.towns.flatMap((town) => {
    const at = inPicture(town);
    return at === undefined ? [] : [{ ...town, at }];
  });
  const areas = new Map<string, Pixel[]>();
  for (const area of data.areas) {
    const at = inPicture(area);
    if (at !== undefined) areas.set(area.name, [at]);
  }
  // If the middle of a county is outside, it is named near its towns.
  for (const {
    area,
    at: [x, y],
  } of towns)
    areas.set(area, [...(areas.get(area) ?? []), [x, y - 22], [x, y + 32]]);
  // Without a town in the picture, the nearest one has the county.
  if (areas.size === 0) areas.set(nearestTown(data, view)?.area ?? '', landAround(view, isLand));
  areas.delete('');
  const distance = (places: readonly Pixel[]) =>
    Math.min(...places.map(([x, y]) => Math.hypot(x - home[0], y - home[1])));
  const nearestFirst = [...areas].sort(([, one], [, other]) => distance(one) - distance(other));
  let areasLeft = MAX_AREAS;
  for (const [name, places] of nearestFirst) {
    if (areasLeft === 0) break;
    if (placeFirst(places.map(([x, y]) => middle('area', name.toUpperCase(), x, y)))) areasLeft -= 1;
  }
  const names = new Set<string>();
  for (const { name, at } of towns) {
    if (names.size === MAX_TOWNS) break;
    if (names.has(name)) continue;
    const [x, y] = at;
    const town = { kind: 'town', text: name, dot: at } as const;
    const isPlaced = placeFirst([
      { ...town, x: x + 7, y: y + 4, anchor: 'start' },
      { ...town, x: x - 7, y: y + 4, anchor: 'end' },
      { ...town, x, y: y - 8, anchor: 'middle' },
      { ...town, x, y: y + 18, anchor: 'middle' },
    ]);
    if (isPlaced) names.add(name);
  }
  return labels;
}

function alongLine([ax, ay]: Pixel, [bx, by]: Pixel): Pixel[] {
  const count = Math.min(200, Math.ceil(Math.hypot(bx - ax, by - ay) / 12) + 1);
  return Array.from({ length: count + 1 }, (_, at) => [ax + ((bx - ax) * at) / count, ay + ((by - ay) * at) / count]);
}

function nearestTown({ towns }: MapData, { project, home }: MapView): Town | undefined {
  const distance = (town: Town) => {
    const [x, y] = project(town.longitude, town.latitude);
    return Math.hypot(x - home[0], y - home[1]);
  };
  return towns.length === 0 ? undefined : towns.reduce((best, town) => (distance(town) < distance(best) ? town : best));
}

/** Places on land that are wide enough for a word, nearest to the home first. */
function landAround({ width, height, home }: MapView, isLand: MapPaths['isLand']): Pixel[] {
  const places: Pixel[] = [];
  for (let x = 70; x < width - 60; x += 30)
    for (let y = 24; y < height - 24; y += 24)
      if ([-50, 0, 50].every((aside) => isLand(x + aside, y))) places.push([x, y]);
  const fromHome = ([x, y]: Pixel) => Math.hypot(x - home[0], y - home[1]);
  return places.sort((one, other) => fromHome(one) - fromHome(other));
}
