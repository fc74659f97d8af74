import type { Vocabulary } from '@leeward/engine';
import type { BookFormat } from '../source/book-source.ts';
import type { ExtraColumn } from './extra-columns.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** Options of `createStatusWriter`. */
export interface StatusWriterOptions {
  readonly format: BookFormat;
  readonly carrierKeys: readonly string[];
  readonly vocabulary: Vocabulary;
  readonly sink: ByteSink;
  /** Columns between `row` and the statuses, whose values are in `WrittenBatch.extras`. @default none */
  readonly extras?: readonly ExtraColumn[];
  /** Writes a header line in CSV. @default true */
  readonly hasHead?: boolean | undefined;
  /** Writes a line for each row and carrier, with the reason codes of certain declines. @default false */
  readonly isLong?: boolean | undefined;
}

/**
 * Creates a writer of statuses. The modules of a format are loaded on demand.
 *
 * @example
 * const writer = await createStatusWriter({ format: 'csv', carrierKeys, vocabulary: homeVocabulary, sink: (bytes) => file.write(bytes) });
 * writer.write(await evaluator.evaluate(batch));
 * await writer.end();
 */
export async function createStatusWriter(options: StatusWriterOptions): Promise<StatusWriter> {
  const { format, carrierKeys, vocabulary, sink, hasHead = true, isLong = false, extras = [] } = options;
  switch (format) {
    case 'parquet':
      return isLong
        ? (await import('./long-parquet.ts')).createLongParquet(carrierKeys, extras, sink)
        : (await import('./parquet-statuses.ts')).createParquetStatuses(carrierKeys, extras, sink);
    case 'arrow':
      return isLong
        ? (await import('./long-arrow.ts')).createLongArrow(carrierKeys, extras, sink)
        : (await import('./arrow-statuses.ts')).createArrowStatuses(carrierKeys, extras, sink);
    case 'csv':
    case 'ndjson': {
      const { createCsvStatuses, createLongStatuses, createNdjsonStatuses } = await import('./text-statuses.ts');
      if (isLong) return createLongStatuses(carrierKeys, extras, format, sink, hasHead);
      return format === 'csv'
        ? createCsvStatuses(carrierKeys, extras, sink, hasHead)
        : createNdjsonStatuses(carrierKeys, extras, vocabulary.policyTypes, sink);
    }
  }
}
