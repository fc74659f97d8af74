import { dataFile } from '../address/data-file.ts';
import {
  type Box,
  type CellKind,
  type CellList,
  cellsIn,
  type GroundCell,
  type PackedLine,
  type Scale,
  type ShoreCell,
} from './map-cell.ts';

/** `x, y, x, y, …` in degrees. */
export type DegreeLine = Float64Array;

/** A name with its place in degrees. */
export interface Area {
  readonly name: string;
  readonly longitude: number;
  readonly latitude: number;
}
export interface Town extends Area {
  readonly area: string;
  /** Binary logarithm of the population. */
  readonly size: number;
}

/** All that is drawn in a box. */
export interface MapData {
  readonly counted: readonly DegreeLine[];
  readonly others: readonly DegreeLine[];
  readonly closings: readonly DegreeLine[];
  readonly rivers: readonly DegreeLine[];
  readonly states: readonly DegreeLine[];
  readonly counties: readonly DegreeLine[];
  readonly areas: readonly Area[];
  /** Largest first. */
  readonly towns: readonly Town[];
  readonly attributions: readonly string[];
}

const files = new Map<string, Promise<unknown>>();

/** A file that failed to load is requested again by the next call. */
function load<Content>(name: string): Promise<Content> {
  let file = files.get(name);
  if (file === undefined) {
    file = fetch(dataFile(name)).then((response) => {
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      return response.json();
    });
    files.set(name, file);
    file.catch(() => files.delete(name));
  }
  return file as Promise<Content>;
}

/** Loads the cells that a box touches and that exist. @throws {Error} if one cannot be loaded. */
export async function loadMapData(scale: Scale, box: Box): Promise<MapData> {
  const list = await load<CellList>('map-cells');
  const cellsOf = async <Cell>(kind: CellKind) => {
    const grid = scale.grids[kind];
    if (grid === undefined) return { cells: [], unpack: () => [], attributions: [] };
    const { group, degrees, steps } = grid;
    const present = new Set(list.cells[group]);
    const names = [...cellsIn(degrees, box)].filter((name) => present.has(name));
    const cells = await Promise.all(names.map((name) => load<Cell>(`${group}-${name}`)));
    return {
      cells,
      unpack: (linesOf: (cell: Cell) => readonly PackedLine[]) =>
        cells.flatMap((cell) => linesOf(cell).map((line) => degreesOf(line, steps))),
      attributions: cells.length > 0 ? [list.attributions[kind]] : [],
    };
  };
  const [osm, gshhg, ground] = await Promise.all([
    cellsOf<ShoreCell>('shore-osm'),
    cellsOf<ShoreCell>('shore-gshhg'),
    cellsOf<GroundCell>('ground'),
  ]);
  const shores = (linesOf: (cell: ShoreCell) => readonly PackedLine[]) => [
    ...osm.unpack(linesOf),
    ...gshhg.unpack(linesOf),
  ];
  const { steps } = scale.grids.ground;
  const place = (x: number, y: number) => ({ longitude: x / steps, latitude: y / steps });
  const states = ground.unpack((cell) => cell.states);
  return {
    counted: shores(({ counted }) => counted),
    others: shores(({ others }) => others),
    // Borders keep the water of unfinished shores abroad out of the country.
    closings: [...shores(({ closings }) => closings), ...(scale.grids['shore-osm'] === undefined ? states : [])],
    rivers: shores(({ rivers }) => rivers),
    states,
    counties: ground.unpack(({ counties }) => counties),
    areas: ground.cells.flatMap((cell) => cell.areas.map(([name, x, y]) => ({ name, ...place(x, y) }))),
    towns: ground.cells
      .flatMap((cell) => cell.towns.map(([name, x, y, area, size]) => ({ name, ...place(x, y), area, size })))
      .sort((one, other) => other.size - one.size),
    attributions: [osm, gshhg, ground].flatMap(({ attributions }) => attributions),
  };
}

function degreesOf(line: PackedLine, steps: number): DegreeLine {
  const points = new Float64Array(line.length);
  let [x, y] = [0, 0];
  for (let at = 0; at < line.length; at += 2) {
    x += line[at]!;
    y += line[at + 1]!;
    points[at] = x / steps;
    points[at + 1] = y / steps;
  }
  return points;
}
