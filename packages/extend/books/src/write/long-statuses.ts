import { writeCells } from '@leeward/rows';
import { eachLongRow } from './long-rows.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** Options of the long form as text. */
export type LongTextFormat = 'csv' | 'ndjson';

const FLUSH_CHARACTERS = 1 << 16;

/** Writes the long form as text: `row`, `carrier_key`, `status`, `codes`. */
export function createLongStatuses(
  carriers: readonly string[],
  format: LongTextFormat,
  sink: ByteSink,
  hasHead = true,
): StatusWriter {
  const isCsv = format === 'csv';
  let text = isCsv && hasHead ? `${writeCells(['row', 'carrier_key', 'status', 'codes'])}\n` : '';
  const flush = () => {
    if (text !== '') sink(Buffer.from(text));
    text = '';
  };
  return {
    write(batch) {
      eachLongRow(batch, carriers.length, (row, carrier, status, codes) => {
        const key = carriers[carrier]!;
        text += isCsv
          ? `${writeCells([String(row), key, status, codes.join(' ')])}\n`
          : `${JSON.stringify({ row, carrier_key: key, status, codes })}\n`;
        if (text.length >= FLUSH_CHARACTERS) flush();
      });
      flush();
    },
    end: async () => flush(),
  };
}
