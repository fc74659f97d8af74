import { parentPort } from 'node:worker_threads';
import { CandidateTileBuilder } from '../search/candidate-tile.ts';
import { CandidateTree } from '../search/candidate-tree.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import { openCoastIndex } from '../search/coast-index-file.ts';
import type { TileResult, TileTask } from './build-tiles.ts';

let opened: CoastIndex | undefined;

parentPort?.on('message', ({ index, selection, cells }: TileTask) => {
  opened ??= openCoastIndex(new Uint8Array(index));
  const builder = new CandidateTileBuilder(opened.lines, opened.tree, selection);
  const tiles = new CandidateTree();
  for (const cell of cells) builder.build(cell, tiles);
  const result: TileResult = { table: tiles.table, pool: tiles.pool.slice(0, tiles.length) };
  parentPort?.postMessage(result, [result.table.buffer as ArrayBuffer, result.pool.buffer as ArrayBuffer]);
});
