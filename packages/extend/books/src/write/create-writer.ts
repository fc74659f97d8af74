import type { Vocabulary } from '@leeward/engine';
import type { BookFormat } from '../source/book-source.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** How statuses are written. */
export interface StatusWriterOptions {
  readonly format: BookFormat;
  readonly carrierKeys: readonly string[];
  readonly vocabulary: Vocabulary;
  readonly sink: ByteSink;
  /** Of CSV: whether the first line names the columns. Default true. */
  readonly hasHead?: boolean | undefined;
  /** A line for each row and carrier, with the codes for which it certainly declines. Default false. */
  readonly isLong?: boolean | undefined;
}

/** A writer of statuses; what writes a format is loaded with the first file of it. */
export async function createStatusWriter(options: StatusWriterOptions): Promise<StatusWriter> {
  const { format, carrierKeys, vocabulary, sink, hasHead = true, isLong = false } = options;
  switch (format) {
    case 'parquet':
      return isLong
        ? (await import('./long-parquet.ts')).createLongParquet(carrierKeys, sink)
        : (await import('./parquet-statuses.ts')).createParquetStatuses(carrierKeys, sink);
    case 'arrow':
      return isLong
        ? (await import('./long-arrow.ts')).createLongArrow(carrierKeys, sink)
        : (await import('./arrow-statuses.ts')).createArrowStatuses(carrierKeys, sink);
    case 'csv':
    case 'ndjson': {
      if (isLong) return (await import('./long-statuses.ts')).createLongStatuses(carrierKeys, format, sink, hasHead);
      const { createCsvStatuses, createNdjsonStatuses } = await import('./text-statuses.ts');
      return format === 'csv'
        ? createCsvStatuses(carrierKeys, sink, hasHead)
        : createNdjsonStatuses(carrierKeys, vocabulary.policyTypes, sink);
    }
  }
}
