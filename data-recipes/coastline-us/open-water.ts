import { squaredDistances } from './distance-transform.ts';
import type { LandMask } from './land-mask.ts';
import {
  CELLS_PER_DEGREE,
  cellWidthMeters,
  columnOf,
  METERS_PER_CELL,
  neighbourTile,
  rowOf,
  tileOf,
  tileWindow,
  type Window,
} from './raster-grid.ts';

/**
 * Opening water with a disk rounds every inside corner: at a right angle, such as a beach against its jetty, the disk is (√2 − 1) radii
 * away. Opened water is therefore extended by that distance, along water only.
 */
const CORNER = Math.SQRT2 - 1;

/**
 * The ocean by minimum width: water that disks of a radius cover which float in from the open sea without touching land. One bit per
 * radius, near shores.
 */
export class OpenWater {
  readonly #flags = new Map<number, Uint8Array>();

  /** @param shoreTiles are the tiles that will be sampled. Radii ascending, at most three. */
  constructor(mask: LandMask, shoreTiles: ReadonlySet<number>, radiiMeters: readonly number[]) {
    const deep = floatingSpace(mask, withNeighbours(shoreTiles), radiiMeters);
    const openSea = [...deep].filter(([, flags]) => isOpenSea(flags)).map(([tile]) => tile);
    for (let bit = 0; bit < radiiMeters.length; bit++) spread(deep, openSea, bit);
    for (const tile of shoreTiles) this.#flags.set(tile, openedTile(mask, deep, tile, radiiMeters));
  }

  /** A bit for each radius whose ocean covers the cell. */
  at(longitude: number, latitude: number): number {
    const column = columnOf(longitude);
    const row = rowOf(latitude);
    return (
      this.#flags.get(tileOf(column, row))?.[
        (row % CELLS_PER_DEGREE) * CELLS_PER_DEGREE + (column % CELLS_PER_DEGREE)
      ] ?? 0
    );
  }
}

const TILE_CELLS = CELLS_PER_DEGREE * CELLS_PER_DEGREE;
/** Bits 0–2: a disk of the radius floats here. Bits 3–5: it came from the open sea. */
const REACHED = 3;
/** No land in or near the tile: the open sea begins here. */
const ALL_SEA = 0b111;

function withNeighbours(tiles: ReadonlySet<number>): Set<number> {
  const all = new Set(tiles);
  for (const tile of tiles)
    for (let north = -1; north <= 1; north++)
      for (let east = -1; east <= 1; east++) all.add(neighbourTile(tile, east, north));
  return all;
}

function floatingSpace(mask: LandMask, tiles: ReadonlySet<number>, radii: readonly number[]): Map<number, Uint8Array> {
  const space = new Map<number, Uint8Array>();
  const squaredRadii = Float64Array.from(radii, (radius) => radius * radius);
  for (const tile of tiles) {
    const flags = new Uint8Array(TILE_CELLS);
    space.set(tile, flags);
    const window = tileWindow(tile, radii[radii.length - 1]!);
    const land = new Uint8Array(window.width * window.height);
    if (!mask.fill(window, land)) {
      flags.fill(ALL_SEA);
      continue;
    }
    // No water.
    if (!land.includes(0)) continue;
    const squared = new Float32Array(land.length);
    squaredDistances(window, land, 1, squared);
    const left = CELLS_PER_DEGREE * (tile % 360) - window.column;
    const bottom = CELLS_PER_DEGREE * Math.floor(tile / 360) - window.row;
    for (let y = 0; y < CELLS_PER_DEGREE; y++) {
      const from = (bottom + y) * window.width + left;
      for (let x = 0; x < CELLS_PER_DEGREE; x++) {
        const distance = squared[from + x]!;
        // Radii ascend: the floating disks are the first ones.
        let floating = 0;
        while (floating < squaredRadii.length && distance >= squaredRadii[floating]!) floating++;
        flags[y * CELLS_PER_DEGREE + x] = (1 << floating) - 1;
      }
    }
  }
  return space;
}

function isOpenSea(flags: Uint8Array): boolean {
  for (let cell = 0; cell < flags.length; cell++) if ((flags[cell]! & ALL_SEA) !== ALL_SEA) return false;
  return true;
}

/**
 * Spreads from the open sea to every connected cell in which the disk of a bit floats, by stretches of a row. Sets the reached bit,
 * three bits higher.
 */
export function spread(space: ReadonlyMap<number, Uint8Array>, openSea: readonly number[], bit: number): void {
  const floats = 1 << bit;
  const reached = 1 << (bit + REACHED);
  const pending = new Map<number, number[]>();
  const push = (tile: number, cell: number): void => {
    const flags = space.get(tile);
    if (flags === undefined || (flags[cell]! & (floats | reached)) !== floats) return;
    const list = pending.get(tile);
    if (list === undefined) pending.set(tile, [cell]);
    else list.push(cell);
  };
  const size = CELLS_PER_DEGREE;
  const last = size - 1;
  for (const tile of openSea) {
    const flags = space.get(tile)!;
    for (let cell = 0; cell < TILE_CELLS; cell++) flags[cell]! |= reached;
  }
  for (const tile of openSea) {
    for (let i = 0; i < size; i++) {
      push(neighbourTile(tile, -1, 0), i * size + last);
      push(neighbourTile(tile, 1, 0), i * size);
      push(neighbourTile(tile, 0, -1), last * size + i);
      push(neighbourTile(tile, 0, 1), i);
    }
  }
  while (pending.size > 0) {
    const [tile, stack] = pending.entries().next().value!;
    const flags = space.get(tile)!;
    while (stack.length > 0) {
      const cell = stack.pop()!;
      if ((flags[cell]! & reached) !== 0) continue;
      const row = cell - (cell % size);
      let west = cell;
      while (west > row && (flags[west - 1]! & (floats | reached)) === floats) west--;
      let east = cell;
      while (east < row + last && (flags[east + 1]! & (floats | reached)) === floats) east++;
      for (let here = west; here <= east; here++) flags[here]! |= reached;
      if (west === row) push(neighbourTile(tile, -1, 0), row + last);
      if (east === row + last) push(neighbourTile(tile, 1, 0), row);
      for (const north of [-1, 1]) {
        const other = row + north * size;
        if (other >= 0 && other < TILE_CELLS)
          pushStretches(flags, floats, reached, west + north * size, east + north * size, stack);
        else {
          const neighbour = neighbourTile(tile, 0, north);
          const across = other < 0 ? last * size : -last * size;
          for (let here = west; here <= east; here++) push(neighbour, here + across);
        }
      }
    }
    pending.delete(tile);
  }
}

/** Adds the first cell of each stretch that can still be reached. */
function pushStretches(
  flags: Uint8Array,
  floats: number,
  reached: number,
  from: number,
  to: number,
  stack: number[],
): void {
  let isWithin = false;
  for (let cell = from; cell <= to; cell++) {
    const isOpen = (flags[cell]! & (floats | reached)) === floats;
    if (isOpen && !isWithin) stack.push(cell);
    isWithin = isOpen;
  }
}

function openedTile(
  mask: LandMask,
  space: ReadonlyMap<number, Uint8Array>,
  tile: number,
  radii: readonly number[],
): Uint8Array {
  const opened = new Uint8Array(TILE_CELLS);
  radii.forEach((radius, bit) => {
    const window = tileWindow(tile, radius * (1 + CORNER) + 4 * METERS_PER_CELL);
    const centres = new Uint8Array(window.width * window.height);
    if (!copyReached(space, 1 << (bit + REACHED), window, centres)) return;
    const squared = new Float32Array(centres.length);
    squaredDistances(window, centres, 1, squared);
    const land = new Uint8Array(centres.length);
    mask.fill(window, land);
    const reach = flowOn(window, land, squared, radius);
    const left = CELLS_PER_DEGREE * (tile % 360) - window.column;
    const bottom = CELLS_PER_DEGREE * Math.floor(tile / 360) - window.row;
    for (let y = 0; y < CELLS_PER_DEGREE; y++)
      for (let x = 0; x < CELLS_PER_DEGREE; x++)
        if (reach[(bottom + y) * window.width + left + x]! >= 0) opened[y * CELLS_PER_DEGREE + x]! |= 1 << bit;
  });
  return opened;
}

function copyReached(
  space: ReadonlyMap<number, Uint8Array>,
  reached: number,
  window: Window,
  out: Uint8Array,
): boolean {
  let any = false;
  const world = 360 * CELLS_PER_DEGREE;
  for (let y = 0; y < window.height; y++) {
    const row = window.row + y;
    for (let x = 0; x < window.width; ) {
      const column = (((window.column + x) % world) + world) % world;
      const inTile = column % CELLS_PER_DEGREE;
      const length = Math.min(window.width - x, CELLS_PER_DEGREE - inTile);
      const flags = space.get(tileOf(column, row));
      if (flags !== undefined) {
        const from = (row % CELLS_PER_DEGREE) * CELLS_PER_DEGREE + inTile;
        for (let i = 0; i < length; i++) {
          if ((flags[from + i]! & reached) === 0) continue;
          out[y * window.width + x + i] = 1;
          any = true;
        }
      }
      x += length;
    }
  }
  return any;
}

/**
 * Remaining range of the opened water: starts with (√2 − 1) radii at the cells under the disks, and loses the length of each step
 * through water. Negative if unreached.
 */
function flowOn(window: Window, land: Uint8Array, squared: Float32Array, radius: number): Float32Array {
  const { width, height } = window;
  const left = new Float32Array(land.length).fill(-1);
  // Half a diagonal of tolerance, because the center represents the whole cell.
  const underDisk = (radius + 0.71 * METERS_PER_CELL) ** 2;
  for (let cell = 0; cell < land.length; cell++)
    if (squared[cell]! <= underDisk && land[cell] === 0) left[cell] = CORNER * radius;
  let frontier: number[] = [];
  for (let y = 1; y + 1 < height; y++)
    for (let x = 1; x + 1 < width; x++) {
      const cell = y * width + x;
      if (left[cell]! >= 0 || land[cell] === 1) continue;
      if (left[cell - 1]! >= 0) frontier.push(cell - 1);
      if (left[cell + 1]! >= 0) frontier.push(cell + 1);
      if (left[cell - width]! >= 0) frontier.push(cell - width);
      if (left[cell + width]! >= 0) frontier.push(cell + width);
    }
  while (frontier.length > 0) {
    const following: number[] = [];
    for (const cell of frontier) {
      const x = cell % width;
      const y = (cell - x) / width;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) continue;
      const east = cellWidthMeters(window.row + y);
      const diagonal = Math.hypot(east, METERS_PER_CELL);
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const step = dx === 0 ? METERS_PER_CELL : dy === 0 ? east : diagonal;
          const to = cell + dy * width + dx;
          const rest = left[cell]! - step;
          if (land[to] === 1 || rest < 0 || rest <= left[to]!) continue;
          left[to] = rest;
          following.push(to);
        }
    }
    frontier = following;
  }
  return left;
}
