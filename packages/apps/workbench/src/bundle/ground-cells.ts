import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { countiesOf, states } from '@leeward/places/counties';
import { loadZipGazetteer, type ZipPoint, zipAttribution } from '@leeward/places/zips';
import { type CountyShape, type CountyTopology, pointsOfLine, shapesOf } from '../map/county-shapes.ts';
import { type CellGrid, cellAt, type GroundCell, type PackedArea, type PackedTown } from '../map/map-cell.ts';
import { LineCells } from './line-cells.ts';

export const groundAttribution = `Counties: U.S. Census Bureau, by us-atlas. Towns: ${zipAttribution}.`;

/** TopoJSON of the Census Bureau's counties (us-atlas). */
export function countyTopology(): string {
  return readFileSync(fileURLToPath(import.meta.resolve('us-atlas/counties-10m.json')), 'utf8');
}

/** By group: smallest population of a town, whether all places of a town are drawn, and whether counties are. */
const details: Readonly<Record<string, { minPopulation: number; hasAllPlaces: boolean; hasCounties: boolean }>> = {
  'ground-near': { minPopulation: 0, hasAllPlaces: true, hasCounties: true },
  'ground-middle': { minPopulation: 2_500, hasAllPlaces: false, hasCounties: true },
  'ground-far': { minPopulation: 50_000, hasAllPlaces: false, hasCounties: false },
};

const countyNames = new Map(
  states.flatMap(({ code }) => countiesOf(code).map(({ fips, name }) => [fips, name] as const)),
);

const stateNames = new Map(states.map(({ fips, name }) => [fips, name]));

/**
 * Borders of states and counties, their names, and towns.
 * @param isByShore True if a place is near a shore. Borders there are shores, and are left out.
 */
export async function groundCells(
  grid: CellGrid,
  isByShore: (longitude: number, latitude: number) => boolean,
): Promise<ReadonlyMap<string, GroundCell>> {
  const { group, degrees, steps } = grid;
  const cells = new LineCells(grid, ['states', 'counties']);
  const { minPopulation, hasAllPlaces, hasCounties } = details[group]!;
  const topology = JSON.parse(countyTopology()) as CountyTopology;
  for (const [line, [one = '', other]] of countiesByLine(topology)) {
    const points = pointsOfLine(topology, line);
    const isOfStates = one.slice(0, 2) !== other?.slice(0, 2);
    // The outline of the country: land, if most of it is away from the shore.
    if (other === undefined && 2 * points.filter((point) => isByShore(...point)).length > points.length) continue;
    if (isOfStates || hasCounties) cells.add(points, () => (isOfStates ? 'states' : 'counties'));
  }
  const names = new Map<string, { readonly areas: PackedArea[]; readonly towns: PackedTown[] }>();
  const namesAt = ([longitude, latitude]: readonly [number, number]) => {
    const cell = cellAt(degrees, longitude, latitude);
    const present = names.get(cell) ?? { areas: [], towns: [] };
    names.set(cell, present);
    return { ...present, x: Math.round(longitude * steps), y: Math.round(latitude * steps) };
  };
  const areaOf = (fips: string) => (hasCounties ? countyNames.get(fips) : stateNames.get(fips.slice(0, 2))) ?? '';
  for (const shape of shapesOf(topology, hasCounties ? 'counties' : 'states')) {
    const { areas, x, y } = namesAt(middleOf(shape));
    areas.push([areaOf(shape.id), x, y]);
  }
  for (const { name, population, places } of await townsOfMap()) {
    if (population < minPopulation) continue;
    // A near picture may show only a part of a city.
    for (const { point, fips } of hasAllPlaces ? places : places.slice(0, 1)) {
      const { towns: list, x, y } = namesAt(point);
      list.push([name, x, y, areaOf(fips), Math.round(Math.log2(population + 1))]);
    }
  }
  const empty = { states: [], counties: [], areas: [], towns: [] };
  return new Map(
    [...new Set([...cells.cells.keys(), ...names.keys()])].map((name) => [
      name,
      { ...empty, ...cells.cells.get(name), ...names.get(name) },
    ]),
  );
}

/** The counties on both sides of each line; one at the outline of the country. */
function countiesByLine({ objects }: CountyTopology): ReadonlyMap<number, readonly string[]> {
  const counties = new Map<number, string[]>();
  for (const geometry of objects.counties.geometries)
    for (const line of geometry.arcs.flat(2)) {
      const number = line < 0 ? ~line : line;
      counties.set(number, [...(counties.get(number) ?? []), geometry.id]);
    }
  return counties;
}

interface TownOfMap {
  readonly name: string;
  readonly population: number;
  /** The places of its ZIP codes, that in the middle first. */
  readonly places: readonly { readonly point: readonly [longitude: number, latitude: number]; readonly fips: string }[];
}

let towns: Promise<readonly TownOfMap[]> | undefined;

/** The cities of ZIP codes. */
function townsOfMap(): Promise<readonly TownOfMap[]> {
  towns ??= loadZipGazetteer().then((gazetteer) => {
    const zips = [...countyNames.keys()].flatMap((fips) => gazetteer.ofCounty(fips));
    const byCity = Map.groupBy(zips, ({ city, state }) => (city === undefined ? '' : `${city}, ${state}`));
    byCity.delete('');
    return [...byCity.values()].map((zipsOfCity) => {
      const { city = '', state } = zipsOfCity[0]!;
      const population = gazetteer.placesNamed(city).find((place) => place.state === state)?.population ?? 0;
      const places = middleFirst(zipsOfCity).map(({ longitude, latitude, countyFips = '' }) => ({
        point: [longitude, latitude] as const,
        fips: countyFips,
      }));
      return { name: city, population, places };
    });
  });
  return towns;
}

/** Without those at the place of one before. */
function middleFirst(zips: readonly ZipPoint[]): readonly ZipPoint[] {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [longitude, latitude] = [mean(zips.map((zip) => zip.longitude)), mean(zips.map((zip) => zip.latitude))];
  const distance = (zip: ZipPoint) => Math.hypot(zip.longitude - longitude, zip.latitude - latitude);
  const apart = new Map(zips.map((zip) => [`${zip.longitude} ${zip.latitude}`, zip]));
  return [...apart.values()].sort((one, other) => distance(one) - distance(other));
}

/** Centroid of the largest outline, in degrees. */
function middleOf({ geometry }: CountyShape): readonly [longitude: number, latitude: number] {
  let [largest, longitude, latitude] = [0, 0, 0];
  for (const [ring = []] of geometry.coordinates) {
    let [area, x, y] = [0, 0, 0];
    for (let at = 0; at + 1 < ring.length; at++) {
      const [[ax = 0, ay = 0], [bx = 0, by = 0]] = [ring[at]!, ring[at + 1]!];
      const cross = ax * by - bx * ay;
      area += cross / 2;
      x += ((ax + bx) * cross) / 6;
      y += ((ay + by) * cross) / 6;
    }
    if (Math.abs(area) > Math.abs(largest)) [largest, longitude, latitude] = [area, x / area, y / area];
  }
  return [longitude, latitude];
}
