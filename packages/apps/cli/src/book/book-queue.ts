import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BookPlan, partFiles, readMarker, readPlan } from '@leeward/books';
import type { CarrierQueue, QueueBackend } from '@leeward/quotes';
import { CommandError } from '../command-error.ts';
import { openQueue } from '../quotes/open-queue.ts';
import type { Terminal } from '../terminal.ts';
import { type KeptForParts, runPartOf } from './part-commands.ts';

/** A worker takes one part at a time. */
const QUEUE_KEY = 'book_parts';
const carrierQueue = (concurrency: number): CarrierQueue => ({ key: QUEUE_KEY, concurrency, maxRunMs: 3_600_000 });
/** Interval of checks for finished and unfinished parts. */
const LOOK_MS = 250;
const AGAIN_MS = 20_000;

/** Plan and part, in characters that every queue accepts as a key. */
function jobKey(planFile: string, index: number, attempt: number): string {
  return `${index}-${attempt}-${Buffer.from(planFile).toString('base64url')}`;
}

function readJobKey(key: string): { readonly planFile: string; readonly index: number } {
  const [index = '', , ...rest] = key.split('-');
  return { planFile: Buffer.from(rest.join('-'), 'base64url').toString('utf8'), index: Number(index) };
}

/**
 * Queues the parts of a plan and waits until all are done. A part without a marker is queued again: the queue may have lost it, or its
 * worker was killed. Running twice is harmless. Throws if a part failed.
 */
export async function runPartsByQueue(
  url: string,
  plan: BookPlan,
  folder: string,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<void> {
  const queue = await openQueue(url, () => {});
  const planFile = join(folder, 'plan.json');
  let missing = plan.parts.flatMap((_, index) => (readMarker(plan, index, folder) ? [] : [index]));
  try {
    for (let attempt = 0, handedMs = Number.NEGATIVE_INFINITY; missing.length > 0; ) {
      signal.throwIfAborted();
      if (performance.now() - handedMs > AGAIN_MS) {
        await enqueue(queue, planFile, missing, attempt++);
        handedMs = performance.now();
      }
      await sleep(LOOK_MS);
      missing = missing.filter((index) => {
        const marker = readMarker(plan, index, folder);
        if (marker) {
          onRows(marker.rows);
          handedMs = performance.now();
          return false;
        }
        const { failure } = partFiles(plan, index, folder);
        if (existsSync(failure))
          throw new CommandError(
            `Part ${index} failed: ${(JSON.parse(readFileSync(failure, 'utf8')) as { message: string }).message}`,
          );
        return true;
      });
    }
  } finally {
    await queue.stop({ graceMs: 0 });
  }
}

function enqueue(queue: QueueBackend, planFile: string, indexes: readonly number[], attempt: number): Promise<void> {
  return queue.enqueue(indexes.map((index) => ({ key: jobKey(planFile, index, attempt), queue: QUEUE_KEY })));
}

/** Evaluates queued parts until stopped. Needs access to plans and books. */
export async function serveBookParts(
  url: string,
  options: { readonly carriers?: string; readonly concurrency: number },
  terminal: Terminal,
): Promise<QueueBackend> {
  const cache: KeptForParts = { hashes: new Map() };
  const queue = await openQueue(url, (error) => terminal.writeError(`leeward worker: ${error.message}\n`));
  await queue.start([carrierQueue(options.concurrency)], async ({ key }) => {
    const { planFile, index } = readJobKey(key);
    try {
      const plan = readPlan(readFileSync(planFile, 'utf8'), planFile);
      const folder = resolve(dirname(planFile));
      if (readMarker(plan, index, folder)) return;
      const carrierOptions = options.carriers === undefined ? {} : { carriers: options.carriers };
      const { rows } = await runPartOf(plan, folder, index, carrierOptions, terminal, cache);
      terminal.write(`Part ${index} of ${folder}: ${rows.toLocaleString('en-US')} rows.\n`);
    } catch (error) {
      terminal.writeError(`leeward worker: part ${index} of ${planFile}: ${(error as Error).message}\n`);
    }
  });
  return queue;
}
