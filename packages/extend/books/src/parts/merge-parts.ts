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

/** The parts of a plan, and where they lie. */
export interface MergeOptions {
  readonly plan: BookPlan;
  readonly folder: string;
  readonly vocabulary: Vocabulary;
  /** Where all statuses go in one file; left out, they stay in their parts. */
  readonly output?: string;
  /** Where rejected rows go in one file; it is not made where there are none. */
  readonly rejects?: string;
}

/**
 * Adds up the parts of a plan, and puts their files together in order. Every row of the plan is answered exactly once, or nothing
 * is written: a part that is missing, cut or changed is named in a `BookFileError`.
 */
export async function mergeParts({ plan, folder, vocabulary, output, rejects }: MergeOptions): Promise<BookCounts> {
  const markers = plan.parts.map((_, index) => readMarker(plan, index, folder));
  const missing = markers.flatMap((marker, index) => (marker ? [] : [index]));
  if (missing.length > 0) {
    const shown = missing.slice(0, 10).join(', ');
    throw new BookFileError(
      `${missing.length} of ${plan.parts.length} parts are not done: ${shown}${missing.length > 10 ? ' …' : ''}.`,
    );
  }
  const done = markers as PartMarker[];
  let next = 0;
  for (const { part, first_row: first, rows } of done) {
    if (first !== next)
      throw new BookFileError(`Part ${part} begins with row ${first + 1} where row ${next + 1} is due.`);
    next += rows;
  }
  const whole = plan.inputs.reduce((sum, { rows }) => sum + rows, 0);
  if (next !== whole) throw new BookFileError(`The parts have ${next} rows, the plan ${whole}.`);
  if (plan.output !== 'none') {
    await checkFiles(done, plan, folder, 'output');
    if (output !== undefined) await writeWhole(output, (sink) => joinOutputs(plan, folder, sink));
  }
  await checkFiles(done, plan, folder, 'rejects');
  if (rejects !== undefined) {
    if (done.some((marker) => marker.rejects))
      await writeWhole(rejects, (sink) => joinText(plan, folder, 'rejects', sink));
    else rmSync(rejects, { force: true });
  }
  removeAllWorking(folder);
  return {
    tally: mergeTallies(done.map(({ tally, rows }) => readTally(tally, rows, vocabulary, plan.carrierKeys.length))),
    rows: whole,
    rejected: done.reduce((sum, { rejected }) => sum + rejected, 0),
    effectiveDates: added(done.map((marker) => marker.effective_dates)),
    warnings: added(done.map((marker) => marker.warnings)),
    faults: added(done.map((marker) => marker.faults)),
  };
}

async function checkFiles(markers: readonly PartMarker[], plan: BookPlan, folder: string, kind: 'output' | 'rejects') {
  for (const marker of markers) {
    const said = marker[kind];
    if (!said) continue;
    const path = partFiles(plan, marker.part, folder)[kind];
    const found = existsSync(path) ? await hashFile(path) : undefined;
    if (found?.sha256 === said.sha256) continue;
    const what = found
      ? `has ${found.bytes} bytes that are not those it was written with (${said.bytes})`
      : 'is not there';
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

function added(all: readonly Readonly<Record<string, number>>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}
