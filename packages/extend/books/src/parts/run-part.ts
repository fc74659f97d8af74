import { rmSync } from 'node:fs';
import { type HazardEvent, parseHazardEvents } from '@leeward/engine/events';
import type { BookCarriers } from '../batches/book-carriers.ts';
import { createBookEvaluator } from '../batches/book-evaluator.ts';
import { createRowMeasuring, type MeasurePlaces } from '../batches/measure-rows.ts';
import { type ReadRow, writeReject } from '../batches/single-rows.ts';
import { readColumnMap } from '../columns/column-map.ts';
import { openBook } from '../open-book.ts';
import { BookFileError } from '../source/book-file-error.ts';
import { createStatusWriter } from '../write/create-writer.ts';
import type { BookPlan } from './book-plan.ts';
import { createFinalFile, type FinalFile, writeFinalFile } from './final-file.ts';
import { type PartMarker, partFiles } from './part-marker.ts';
import { writeTally } from './tally-json.ts';

/** Options of `runPart`. */
export interface RunPartOptions {
  readonly plan: BookPlan;
  readonly index: number;
  /** Folder of the part's files. */
  readonly folder: string;
  readonly carriers: BookCarriers;
  readonly readRow: ReadRow;
  /** Measures distances of rows with coordinates. Without it, these rows are read one by one. */
  readonly measurePlaces?: MeasurePlaces | undefined;
  /** Called with the number of rows of each batch. @default none */
  readonly onRows?: (rows: number) => void;
  /** Stops between batches. @default none */
  readonly signal?: AbortSignal;
}

/**
 * Evaluates one part of a plan. Its files get their names once they are complete, its marker last. Repeated and concurrent runs write
 * the same bytes.
 *
 * @throws {BookFileError} if the book cannot be read or was changed.
 *
 * @example
 * const marker = await runPart({ plan, index: 17, folder: 'plan', carriers: carriersOfCatalog(catalog), readRow });
 */
export async function runPart(options: RunPartOptions): Promise<PartMarker> {
  const { plan, index, folder, carriers, readRow, measurePlaces, onRows, signal } = options;
  const part = plan.parts[index];
  if (!part) throw new BookFileError(`There is no part ${index}; the plan has ${plan.parts.length}, from 0.`);
  const input = plan.inputs[part.input]!;
  const files = partFiles(plan, index, folder);
  const map =
    plan.columns === null ? undefined : readColumnMap(plan.columns, 'The map of columns', carriers.vocabulary);
  const evaluator = createBookEvaluator({
    carriers,
    format: input.format,
    name: input.file,
    rowOffset: part.firstRow - part.slice.firstRow,
    ...(map ? { map } : {}),
    asOf: new Date(plan.asOf),
    effectiveDate: plan.effectiveDate ?? undefined,
    readRow,
    measuring: measurePlaces && createRowMeasuring(carriers.vocabulary, measurePlaces),
    countsReasons: plan.reasons,
    includesReasons: plan.long,
    events: eventsOfPlan(plan),
  });
  let output: FinalFile | undefined;
  let rejects: FinalFile | undefined;
  const source = await openBook(input.file, { format: input.format });
  try {
    output = plan.output === 'none' ? undefined : createFinalFile(files.output);
    const writer =
      output && plan.output !== 'none'
        ? await createStatusWriter({
            format: plan.output,
            carrierKeys: carriers.carrierKeys,
            vocabulary: carriers.vocabulary,
            sink: output.write,
            hasHead: index === 0,
            isLong: plan.long,
          })
        : undefined;
    let rows = 0;
    for await (const batch of source.batches({ slice: part.slice, isWanted: evaluator.isWanted })) {
      signal?.throwIfAborted();
      const evaluated = await evaluator.evaluate(batch);
      writer?.write(evaluated);
      for (const row of evaluated.rejected.values()) {
        rejects ??= createFinalFile(files.rejects);
        rejects.write(Buffer.from(`${writeReject(row)}\n`));
      }
      rows += evaluated.rows;
      onRows?.(evaluated.rows);
    }
    if (rows !== part.slice.rows) {
      throw new BookFileError(
        `${input.file} has ${rows} rows where part ${index} of the plan has ${part.slice.rows}: the file was changed; create the plan again.`,
      );
    }
    await writer?.end();
    const counts = evaluator.counts();
    const marker: PartMarker = {
      part: index,
      hash: part.hash,
      first_row: part.firstRow,
      rows,
      rejected: counts.rejected,
      rejects: rejects?.finish() ?? null,
      output: output?.finish() ?? null,
      effective_dates: sorted(counts.effectiveDates),
      warnings: sorted(counts.warnings),
      faults: sorted(counts.faults),
      tally: writeTally(counts.tally, carriers.vocabulary, carriers.carrierKeys.length),
    };
    writeFinalFile(files.marker, `${JSON.stringify(marker)}\n`);
    rmSync(files.failure, { force: true });
    return marker;
  } catch (error) {
    output?.discard();
    rejects?.discard();
    throw error;
  } finally {
    await source.close();
  }
}

function sorted(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Undefined if events are unknown. */
function eventsOfPlan({ events }: BookPlan): readonly HazardEvent[] | undefined {
  if (events === undefined) return undefined;
  const parsed = parseHazardEvents(events);
  if (parsed.ok) return parsed.events;
  const { path, message } = parsed.faults[0]!;
  throw new BookFileError(`The plan has events with a fault at /events${path}: ${message} Create the plan again.`);
}
