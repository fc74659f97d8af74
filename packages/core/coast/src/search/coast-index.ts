import { CoastError } from '../coast-error.ts';
import { checkShoreline } from '../shoreline/check-shoreline.ts';
import { createEarthLines, type EarthLines } from '../shoreline/earth-lines.ts';
import type { LayerSelection } from '../shoreline/layer-selection.ts';
import type { Shoreline, ShorelineHeader } from '../shoreline/shoreline.ts';
import { checkShorelineHeader } from '../shoreline/shoreline-header.ts';
import { type CandidateTree, TABLE_COLUMNS, TABLE_ROWS } from './candidate-tree.ts';
import type { RegionalShore } from './regional-shore.ts';
import { buildRunTree, type RunTree } from './run-tree.ts';
import { ShoreSearch } from './shore-search.ts';

/** Searches a dataset by any of its layers. */
export class CoastIndex {
  readonly header: ShorelineHeader;
  readonly lines: EarthLines;
  readonly #treeOf: () => RunTree;
  readonly #searches = new Map<string, ShoreSearch>();
  readonly #shipped: ReadonlyMap<string, CandidateTree>;
  readonly #regional: RegionalShore | undefined;
  #layerMasks: ReadonlySet<number> | undefined;

  constructor(
    header: ShorelineHeader,
    lines: EarthLines,
    treeOf: () => RunTree,
    shipped: ReadonlyMap<string, CandidateTree> = new Map(),
    regional?: RegionalShore,
  ) {
    this.header = header;
    this.lines = lines;
    this.#treeOf = treeOf;
    this.#shipped = shipped;
    this.#regional = regional;
  }

  static ofRegions(header: ShorelineHeader, regional: RegionalShore): CoastIndex {
    return new CoastIndex(header, regional.lines, () => regional.tree, new Map(), regional);
  }

  /** Tree of all lines. Opens all regions. */
  get tree(): RunTree {
    return this.#regional?.wholeTree() ?? this.#treeOf();
  }

  /** Undefined if all lines were read when the index was opened. */
  get openRegions(): number | undefined {
    return this.#regional?.openRegions;
  }

  /** Until then `lines` has zeros for regions that no search has reached. */
  openAll(): void {
    this.#regional?.openAll();
  }

  get layerMasks(): ReadonlySet<number> {
    this.#layerMasks ??= this.#regional?.layerMasks ?? distinctMasks(this.lines.layers);
    return this.#layerMasks;
  }

  /** Throws `no_shore` without a segment of these layers. */
  search(selection: LayerSelection): ShoreSearch {
    const key = selectionKey(selection);
    let search = this.#searches.get(key);
    if (search === undefined) {
      search = new ShoreSearch(this.lines, this.#treeOf, selection, this.#shipped.get(key));
      this.#searches.set(key, search);
    }
    return search;
  }

  searches(): ShoreSearch[] {
    for (const key of this.#shipped.keys()) this.search(selectionOf(key));
    return [...this.#searches.values()];
  }
}

export function selectionKey({ any, none }: LayerSelection): string {
  return `${any}-${none}`;
}

export function selectionOf(key: string): LayerSelection {
  const [any, none] = key.split('-').map(Number);
  return { any: any!, none: none! };
}

function distinctMasks(masks: Uint16Array): ReadonlySet<number> {
  const distinct = new Set<number>();
  let last = -1;
  // An iterator over half a million segments would delay the first answer by 10 ms.
  for (let at = 0; at < masks.length; at++) {
    const mask = masks[at]!;
    if (mask !== last) distinct.add(mask);
    last = mask;
  }
  return distinct;
}

/**
 * Builds an index, in about 0.4 s per million segments; tiles grow where many points are searched. @throws CoastError
 * `invalid_shoreline` or `too_many_vertices`.
 * @example
 * const coast = createCoast(buildCoastIndex(shoreline));
 */
export function buildCoastIndex(shoreline: Shoreline): CoastIndex {
  checkShoreline(shoreline);
  const lines = createEarthLines(shoreline);
  const tree = buildRunTree(lines);
  if (tree.links.length === 0) {
    throw new CoastError('invalid_shoreline', `${shoreline.name} needs a line with two different vertices in a layer`);
  }
  return new CoastIndex(checkShorelineHeader(shoreline), lines, () => tree);
}

export function tilesIn(boxes: readonly { west: number; south: number; east: number; north: number }[]): number[] {
  const cells = new Set<number>();
  for (const { west, south, east, north } of boxes) {
    const rows = range(Math.floor(south) + 90, Math.floor(north) + 90, TABLE_ROWS - 1);
    const columns = range(Math.floor(west) + 180, Math.floor(east) + 180, TABLE_COLUMNS - 1);
    for (const row of rows) for (const column of columns) cells.add(row * TABLE_COLUMNS + column);
  }
  return [...cells].sort((one, other) => one - other);
}

function range(from: number, to: number, max: number): number[] {
  const numbers: number[] = [];
  for (let number = Math.max(0, from); number <= Math.min(to, max); number++) numbers.push(number);
  return numbers;
}
