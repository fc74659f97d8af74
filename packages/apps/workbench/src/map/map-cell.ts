/**
 * The drawing of shores and counties in cells of files, at four scales. `map-cells` lists the cells that exist: a page requests no
 * others. Data sets have separate files because their licences differ.
 */
export interface Scale {
  /** Largest half height of a picture, in meters. */
  readonly maxReach: number;
  /** Without OpenStreetMap's shores, all of GSHHG's are drawn. */
  readonly grids: { readonly 'shore-gshhg': CellGrid; readonly ground: CellGrid; readonly 'shore-osm'?: CellGrid };
}

export interface CellGrid {
  /** Start of the names of its files. */
  readonly group: string;
  /** Width and height of a cell; they divide 180. */
  readonly degrees: number;
  /** Whole steps of coordinates per degree. */
  readonly steps: number;
}

const detailed = {
  'shore-gshhg': { group: 'shore-gshhg-near', degrees: 1, steps: 1e5 },
  ground: { group: 'ground-near', degrees: 2, steps: 1e4 },
} as const;

/** Most detailed first. */
export const scales: readonly Scale[] = [
  {
    maxReach: 5_000,
    grids: { ...detailed, 'shore-osm': { group: 'shore-osm-near', degrees: 0.5, steps: 1e5 } },
  },
  {
    maxReach: 25_000,
    grids: { ...detailed, 'shore-osm': { group: 'shore-osm-town', degrees: 1, steps: 4_000 } },
  },
  {
    maxReach: 250_000,
    grids: {
      'shore-gshhg': { group: 'shore-gshhg-middle', degrees: 5, steps: 500 },
      ground: { group: 'ground-middle', degrees: 10, steps: 500 },
    },
  },
  {
    maxReach: Number.POSITIVE_INFINITY,
    grids: {
      'shore-gshhg': { group: 'shore-gshhg-far', degrees: 30, steps: 50 },
      ground: { group: 'ground-far', degrees: 30, steps: 50 },
    },
  },
];

/** A line as `x, y, dx, dy, …` in steps. */
export type PackedLine = readonly number[];

/** Shores have water on the right. */
export interface ShoreCell {
  /** Tidal shores of the United States: distances are measured to these. */
  readonly counted: readonly PackedLine[];
  /** Great Lakes, and shores of neighbouring countries. */
  readonly others: readonly PackedLine[];
  /** Close the rings of the data. No shore: they only tell land from water. */
  readonly closings: readonly PackedLine[];
  /** Tidal rivers beyond the shores. */
  readonly rivers: readonly PackedLine[];
}

/** The middle of a county, or at the far scale of a state, in steps. */
export type PackedArea = readonly [name: string, x: number, y: number];
/** The area is as in `areas`; `size` is the binary logarithm of the population. */
export type PackedTown = readonly [name: string, x: number, y: number, area: string, size: number];

/** Borders and names. */
export interface GroundCell {
  readonly states: readonly PackedLine[];
  readonly counties: readonly PackedLine[];
  readonly areas: readonly PackedArea[];
  readonly towns: readonly PackedTown[];
}

export type CellKind = keyof Scale['grids'];

/** `map-cells.json`. */
export interface CellList {
  /** Names of the cells, `row_column`, by group. */
  readonly cells: Readonly<Record<string, readonly string[]>>;
  /** Authors and licences, by kind. */
  readonly attributions: Readonly<Record<CellKind, string>>;
}

/** Name of the cell that a point is in. */
export function cellAt(degrees: number, longitude: number, latitude: number): string {
  return `${Math.floor(latitude / degrees)}_${Math.floor(longitude / degrees)}`;
}

export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Names of the cells that a box (degrees) touches. Its west may be below -180 and its east above 180. */
export function cellsIn(degrees: number, { west, south, east, north }: Box): ReadonlySet<string> {
  const names = new Set<string>();
  const half = 180 / degrees;
  for (let row = Math.floor(south / degrees); row <= Math.floor(north / degrees); row++)
    for (let column = Math.floor(west / degrees); column <= Math.floor(east / degrees); column++)
      names.add(`${row}_${((column + 3 * half) % (2 * half)) - half}`);
  return names;
}
