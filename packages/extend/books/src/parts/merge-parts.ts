import { createReadStream, existsSync, rmSync } from 'node:fs';
import type { Vocabulary } from '@leeward/engine';
import type { BookCounts } from '../batches/book-counter.ts';
import { BookFileError } from '../source/book-file-error.ts';
import { mergeTallies } from '../tally/tally.ts';
import type { ByteSink } from '../write/status-writer.ts';
import type { BookPlan } from './book-plan.ts';
import { hashFile } from './count-input.ts';
import { createFinalFile, removeAllWorking } from './final-file.ts';
import { type PartMarker, partFiles, readMarker } from './part-marker.ts';
import { readTally } from './tally-json.ts';

/** Options of `mergeParts`. */
export interface MergeOptions {
  readonly plan: BookPlan;
  /** Folder of the parts' files. */
  readonly folder: string;
  readonly vocabulary: Vocabulary;
  /** File of all statuses. Without it, they remain in the parts' files. */
  readonly output?: string;
  /** File of all rejected rows, if any. Without it, they remain in the parts' files. */
  readonly rejects?: string;
}

/**
 * Concatenates the files of all parts in order, and adds up their counts. Writes nothing unless every row was evaluated exactly once.
 *
 * @throws {BookFileError} that names a part which is missing, truncated or changed.
 *
 * @example
 * const counts = await mergeParts({ plan, folder: 'plan', vocabulary: catalog.vocabulary, output: 'statuses.parquet' });
 */
export async function mergeParts({ plan, folder, vocabulary, output, rejects }: MergeOptions): Promise<BookCounts> {
  const markers = plan.parts.map((_, index) => readMarker(plan, index, folder));
  const missing = markers.flatMap((marker, index) => (marker ? [] : [index]));
  if (missing.length > 0) {
    const indices = missing.slice(0, 10).join(', ');
    throw new BookFileError(
      `${missing.length} of ${plan.parts.length} parts are not complete: ${indices}${missing.length > 10 ? ' …' : ''}.`,
    );
  }
  const complete = markers as PartMarker[];
  let next = 0;
  for (const { part, first_row: first, rows } of complete) {
    if (first !== next) throw new BookFileError(`Part ${part} begins with row ${first + 1}, expected row ${next + 1}.`);
    next += rows;
  }
  const whole = plan.inputs.reduce((sum, { rows }) => sum + rows, 0);
  if (next !== whole) throw new BookFileError(`The parts have ${next} rows, the plan ${whole}.`);
  if (plan.output !== 'none') {
    await checkFiles(complete, plan, folder, 'output');
    if (output !== undefined) await writeWhole(output, (sink) => joinOutputs(plan, folder, sink));
  }
  await checkFiles(complete, plan, folder, 'rejects');
  if (rejects !== undefined) {
    if (complete.some((marker) => marker.rejects))
      await writeWhole(rejects, (sink) => joinText(plan, folder, 'rejects', sink));
    else rmSync(rejects, { force: true });
  }
  removeAllWorking(folder);
  return {
    tally: mergeTallies(complete.map(({ tally, rows }) => readTally(tally, rows, vocabulary, plan.carrierKeys.length))),
    rows: whole,
    rejected: complete.reduce((sum, { rejected }) => sum + rejected, 0),
    effectiveDates: addCounts(complete.map((marker) => marker.effective_dates)),
    warnings: addCounts(complete.map((marker) => marker.warnings)),
    faults: addCounts(complete.map((marker) => marker.faults)),
  };
}

async function checkFiles(markers: readonly PartMarker[], plan: BookPlan, folder: string, kind: 'output' | 'rejects') {
  for (const marker of markers) {
    const expected = marker[kind];
    if (!expected) continue;
    const path = partFiles(plan, marker.part, folder)[kind];
    const actual = existsSync(path) ? await hashFile(path) : undefined;
    if (actual?.sha256 === expected.sha256) continue;
    const what = actual
      ? `was changed since it was written (${actual.bytes} bytes, ${expected.bytes} written)`
      : 'does not exist';
    throw new BookFileError(
      `${path} ${what}: remove ${partFiles(plan, marker.part, folder).marker} and run part ${marker.part} again.`,
    );
  }
}

async function writeWhole(path: string, write: (sink: ByteSink) => Promise<void>): Promise<void> {
  const file = createFinalFile(path);
  try {
    await write(file.write);
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}

async function joinOutputs(plan: BookPlan, folder: string, sink: ByteSink): Promise<void> {
  const paths = plan.parts.map((_, index) => partFiles(plan, index, folder).output);
  if (plan.output === 'parquet') {
    const schema = plan.long
      ? (await import('../write/long-parquet.ts')).longSchema
      : (await import('../write/parquet-statuses.ts')).statusSchema(plan.carrierKeys);
    await (await import('../write/join-parquet.ts')).joinParquet(paths, schema, sink);
  } else if (plan.output === 'arrow') await (await import('../write/join-arrow.ts')).joinArrow(paths, sink);
  else await joinText(plan, folder, 'output', sink);
}

async function joinText(plan: BookPlan, folder: string, kind: 'output' | 'rejects', sink: ByteSink): Promise<void> {
  for (const index of plan.parts.keys()) {
    const path = partFiles(plan, index, folder)[kind];
    if (!existsSync(path)) continue;
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) sink(chunk);
  }
}

function addCounts(all: readonly Readonly<Record<string, number>>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}
