import type { PlacePorts } from '@leeward/http/distance';
import { inOrder } from '../rows/in-order.ts';
import { limitAtOnce } from '../rows/limit-at-once.ts';
import type { ResumableFile } from '../rows/resumable-file.ts';
import { readWholeRecords } from '../rows/whole-records.ts';
import type { BatchFormat, HomeOutcome } from './batch-formats.ts';
import type { BatchHome } from './batch-homes.ts';
import { type BatchSummary, createBatchTally } from './batch-summary.ts';
import { createHomeFinder } from './find-home.ts';

export interface RunBatchOptions {
  readonly homes: AsyncIterable<BatchHome>;
  readonly format: BatchFormat;
  readonly results: ResumableFile;
  readonly ports: PlacePorts;
  readonly atOnce: number;
  readonly acceptCoarse: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly line: number; readonly homes: number; readonly problems: number }) => void;
  readonly pausesMs?: readonly number[];
}

/** Homes in progress: enough to answer together, few enough that a killed run repeats little. */
const WINDOW = 1_024;

/**
 * Answers homes in order and appends to an earlier run. Throws a `GeocoderOutage`, or the reason of the signal; written results remain.
 */
export async function runBatch(
  options: RunBatchOptions,
): Promise<{ readonly summary: BatchSummary; readonly resumedAt: number }> {
  const { homes, format, results, ports, atOnce, acceptCoarse, signal, onProgress, pausesMs } = options;
  const tally = createBatchTally();
  let written = 0;
  let problems = 0;
  const count = (outcome: HomeOutcome) => {
    tally.add(outcome);
    written += 1;
    if (outcome.problem !== undefined) problems += 1;
  };
  if (results.wholeBytes === 0) results.append(format.head);
  else for await (const record of readWholeRecords(results, format)) count(format.read(record));
  const resumedAt = written;
  const findHome = createHomeFinder({ ports, acceptCoarse, signal, pausesMs });
  const inTurn = limitAtOnce(atOnce);
  // Points need no geocoder.
  const find = (home: BatchHome) =>
    home.request?.address === undefined ? findHome(home) : inTurn(() => findHome(home));
  for await (const placed of inOrder(skip(homes, resumedAt), find, WINDOW)) {
    signal.throwIfAborted();
    const last = placed.at(-1);
    if (last === undefined) continue;
    const { text, outcomes } = format.write(placed);
    results.append(text);
    outcomes.forEach(count);
    onProgress({ line: last.home.line, homes: written, problems });
  }
  signal.throwIfAborted();
  return { summary: tally.summary(), resumedAt };
}

async function* skip<Item>(items: AsyncIterable<Item>, count: number): AsyncGenerator<Item> {
  let index = 0;
  for await (const item of items) {
    if (index >= count) yield item;
    index += 1;
  }
}
