import { STATUS_CODES } from '@leeward/engine';
import { writeCells } from '@leeward/rows';
import type { JudgedBatch } from '../judge/book-judge.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** How the long form is written. */
export type LongFormat = 'csv' | 'ndjson';

const NOT_OFFERED = STATUS_CODES.indexOf('not_offered');
const FLUSH_CHARACTERS = 1 << 16;

/**
 * The long form: a line for each row and carrier that offers it, with the status and the codes for which the carrier certainly declines.
 * A rejected row has no line.
 */
export function createLongStatuses(
  carriers: readonly string[],
  format: LongFormat,
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
    write({ firstRow, rows, codes, rejected, reasons }: JudgedBatch) {
      for (let row = 0; row < rows; row++) {
        if (rejected.has(row)) continue;
        carriers.forEach((key, carrier) => {
          const code = codes[row * carriers.length + carrier]!;
          if (code === NOT_OFFERED) return;
          const why = reasons.get(row)?.get(carrier) ?? [];
          const [number, status] = [firstRow + row + 1, STATUS_CODES[code]!];
          text += isCsv
            ? `${writeCells([String(number), key, status, why.join(' ')])}\n`
            : `${JSON.stringify({ row: number, carrier_key: key, status, codes: why })}\n`;
        });
        if (text.length >= FLUSH_CHARACTERS) flush();
      }
      flush();
    },
    end: async () => flush(),
  };
}
