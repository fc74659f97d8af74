/**
 * The drawing of shores and counties in cells of files, at three scales. `map-cells` lists the cells that exist: a page requests no
 * others. Data sets have separate files because their licences differ.
 */
export interface Scale {
  readonly name: 'near' | 'middle' | 'far';
  /** Width and height of the cells of shores and of the ground; they divide 180. */
  readonly degrees: { readonly shore: number; readonly ground: number };
  /** Whole steps of coordinates per degree. */
  readonly steps: number;
  /** Largest half height of a picture, in meters. */
  readonly maxReach: number;
}

/** Most detailed first. */
export const scales: readonly Scale[] = [
  { name: 'near', degrees: { shore: 1, ground: 2 }, steps: 1e5, maxReach: 25_000 },
  { name: 'middle', degrees: { shore: 10, ground: 10 }, steps: 500, maxReach: 250_000 },
  { name: 'far', degrees: { shore: 30, ground: 30 }, steps: 50, maxReach: Number.POSITIVE_INFINITY },
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

export type CellKind = 'shore-osm' | 'shore-gshhg' | 'ground';

/** `map-cells.json`. */
export interface CellList {
  /** Names of the cells, `row_column`, by kind and scale. */
  readonly cells: Readonly<Record<string, readonly string[]>>;
  /** Authors and licences, by kind. */
  readonly attributions: Readonly<Record<CellKind, string>>;
}

export const groupName = (kind: CellKind, scale: Scale) => `${kind}-${scale.name}`;

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
