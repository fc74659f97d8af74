import type { Worker } from 'node:worker_threads';
import { CoastError } from '../coast-error.ts';
import { CandidateTree, LEAF, NOT_BUILT } from '../search/candidate-tree.ts';
import { type CoastIndex, tilesIn } from '../search/coast-index.ts';
import { encodeCoastIndex } from '../search/coast-index-file.ts';
import type { ShoreSearch } from '../search/shore-search.ts';
import {
  type CoastDefinitionInput,
  checkDefinition,
  definitionName,
  selectLayers,
  toCoastDefinition,
} from '../shoreline/coast-definition.ts';
import type { LayerSelection } from '../shoreline/layer-selection.ts';
import type { CoverageBox } from '../shoreline/shoreline.ts';

/** The tiles to build. */
export interface TilePlan {
  readonly definitions: readonly CoastDefinitionInput[];
  /** Cells that touch these boxes. @default the coverage of the data */
  readonly boxes?: readonly CoverageBox[];
}

export interface TileTask {
  readonly index: SharedArrayBuffer;
  readonly selection: LayerSelection;
  readonly cells: readonly number[];
}
export interface TileResult {
  readonly table: Int32Array;
  readonly pool: Int32Array;
}

/**
 * Builds tiles of an index, which `encodeCoastIndex` then writes. @param onTile receives the number of tiles built and their total.
 * @example
 * buildTiles(index, { definitions: ['tidal'] });
 */
export function buildTiles(index: CoastIndex, plan: TilePlan, onTile?: (done: number, of: number) => void): void {
  const searches = plannedSearches(index, plan);
  const cells = plannedCells(index, plan);
  let done = 0;
  for (const search of searches) {
    for (const cell of cells) {
      search.buildTile(cell);
      onTile?.(++done, cells.length * searches.length);
    }
  }
}

const CELLS_PER_TASK = 16;

/**
 * Builds tiles like `buildTiles`, in several threads of Node; the tiles are equal to the byte.
 * @example
 * await buildTilesInThreads(index, { definitions: ['tidal'] }, 4);
 */
export async function buildTilesInThreads(
  index: CoastIndex,
  plan: TilePlan,
  threads: number,
  onTile?: (done: number, of: number) => void,
): Promise<void> {
  if (!Number.isInteger(threads) || threads < 1) {
    throw new CoastError('invalid_option', `${threads} threads: expected a whole number, one or more`);
  }
  const threadsOfNode = await import('node:worker_threads');
  const searches = plannedSearches(index, plan);
  const cells = plannedCells(index, plan);
  const bytes = encodeCoastIndex(index);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  const tasks: { readonly search: ShoreSearch; readonly task: TileTask }[] = [];
  for (const search of searches) {
    for (let from = 0; from < cells.length; from += CELLS_PER_TASK) {
      const part = cells.slice(from, from + CELLS_PER_TASK).filter((cell) => search.tiles.table[cell] === NOT_BUILT);
      if (part.length > 0) tasks.push({ search, task: { index: shared, selection: search.selection, cells: part } });
    }
  }
  let next = 0;
  let done = 0;
  const results: TileResult[] = [];
  const script = new URL(import.meta.url.endsWith('.ts') ? './tile-worker.ts' : './tile-worker.js', import.meta.url);
  const runThread = async (): Promise<void> => {
    const worker = new threadsOfNode.Worker(script);
    try {
      while (next < tasks.length) {
        const number = next++;
        const { task } = tasks[number]!;
        results[number] = await runTask(worker, task);
        done += task.cells.length;
        onTile?.(done, cells.length * searches.length);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, tasks.length) }, runThread));
  tasks.forEach(({ search, task }, number) => {
    const { table, pool } = results[number]!;
    const built = new CandidateTree(table, pool);
    for (const cell of task.cells) copyTile(built, cell, search.tiles);
  });
}

function runTask(worker: Worker, task: TileTask): Promise<TileResult> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      then();
    };
    const onMessage = (result: TileResult): void => settle(() => resolve(result));
    const onError = (error: Error): void => settle(() => reject(error));
    const onExit = (code: number): void =>
      settle(() => reject(new Error(`a thread that builds tiles ended with exit code ${code}`)));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(task);
  });
}

function plannedSearches(index: CoastIndex, plan: TilePlan): ShoreSearch[] {
  return plan.definitions.map((input) => {
    const definition = toCoastDefinition(input);
    checkDefinition([index.header], definition);
    const search = index.search(selectLayers(index.header, definition)!);
    if (search.isShipped) {
      throw new CoastError(
        'invalid_option',
        `${index.header.name} has shipped tiles for ${definitionName(definition)}: build tiles from its shoreline instead`,
      );
    }
    return search;
  });
}

function plannedCells(index: CoastIndex, plan: TilePlan): number[] {
  const boxes = plan.boxes ?? index.header.coverage;
  if (boxes.length > 0) return tilesIn(boxes);
  throw new CoastError(
    'invalid_option',
    `${index.header.name} covers the whole world: name the boxes for which to build tiles`,
  );
}

/** In the order of building, so that the bytes do not depend on threads. */
function copyTile(from: CandidateTree, cell: number, to: CandidateTree): void {
  const entry = from.table[cell]!;
  if (entry !== NOT_BUILT && to.table[cell] === NOT_BUILT) to.table[cell] = copyEntry(from, entry, to);
}

function copyEntry(from: CandidateTree, entry: number, to: CandidateTree): number {
  if (entry <= 0 || entry === LEAF) return entry;
  if (entry > LEAF) return copyLeaf(from, entry - LEAF, to);
  const block = to.extend(16);
  for (let child = 0; child < 16; child++) {
    const copied = copyEntry(from, from.pool[entry + child]!, to);
    to.pool[block + child] = copied;
  }
  return block;
}

function copyLeaf(from: CandidateTree, offset: number, to: CandidateTree): number {
  let end = offset;
  while ((from.pool[end]! & 1) === 0) end++;
  const length = end + 1 - offset;
  const copy = to.extend(length);
  to.pool.set(from.pool.subarray(offset, offset + length), copy);
  return LEAF + copy;
}
