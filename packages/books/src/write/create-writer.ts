import type { Vocabulary } from '@leeward/engine';
import type { BookFormat } from '../source/book-source.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** A writer of statuses; what writes a format is loaded with the first file of it. `hasHead` false: of CSV, rows alone. `isLong`: a line for each row
 * and carrier, with reasons; of CSV and NDJSON. */
export async function createStatusWriter(
  format: BookFormat,
  carrierKeys: readonly string[],
  { policyTypes }: Vocabulary,
  sink: ByteSink,
  hasHead = true,
  isLong = false,
): Promise<StatusWriter> {
  if (isLong && (format === 'csv' || format === 'ndjson'))
    return (await import('./long-statuses.ts')).createLongStatuses(carrierKeys, format, sink, hasHead);
  switch (format) {
    case 'parquet':
      return (await import('./parquet-statuses.ts')).createParquetStatuses(carrierKeys, sink);
    case 'arrow':
      return (await import('./arrow-statuses.ts')).createArrowStatuses(carrierKeys, sink);
    case 'csv':
      return (await import('./text-statuses.ts')).createCsvStatuses(carrierKeys, sink, hasHead);
    case 'ndjson':
      return (await import('./text-statuses.ts')).createNdjsonStatuses(carrierKeys, policyTypes, sink);
  }
}
