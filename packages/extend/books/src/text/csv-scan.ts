import type { TextColumns } from './text-columns.ts';
import { FIRST_HASH } from './token-table.ts';

/** Reason for the end of a scan: the end of the block; a line that must be read separately; lines that must be read together. */
export type ScanEnd = 'block' | 'line' | 'rest';

export interface CsvScan {
  /** Reads plain lines from `from` on. `at` and `line` are then the position and line number of the end. */
  run(bytes: Buffer, from: number, line: number): ScanEnd;
  readonly at: number;
  readonly line: number;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Reads lines of CSV without creating text for cells. It reads lines with one cell per column and quotation marks only around whole
 * cells. It stops at any other line, which `@leeward/rows` reads.
 */
export function createCsvScan(columns: TextColumns, width: number, delimiter: number): CsvScan {
  let stoppedAt = 0;
  let stoppedLine = 0;
  return {
    get at() {
      return stoppedAt;
    },
    get line() {
      return stoppedLine;
    },
    run(bytes, from, firstLine) {
      const { tables } = columns;
      const { length } = bytes;
      let at = from;
      let line = firstLine;
      while (at < length) {
        const start = at;
        const { codes, rows } = columns;
        stoppedAt = start;
        stoppedLine = line;
        let column = 0;
        let isLineEnd = false;
        while (!isLineEnd) {
          let begin = at;
          let end: number;
          let hash = FIRST_HASH;
          if (bytes[at] === QUOTE) {
            begin = at + 1;
            for (at = begin; at < length && bytes[at] !== QUOTE; at++) {
              const byte = bytes[at]!;
              if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return 'rest';
              hash = Math.imul(hash ^ byte, 0x01000193);
            }
            end = at;
            at += 1;
            if (end >= length) return 'rest';
            const next = bytes[at];
            if (at < length && next !== delimiter && next !== LINE_FEED && next !== CARRIAGE_RETURN) return 'rest';
          } else {
            let byte = 0;
            for (; at < length; at++) {
              byte = bytes[at]!;
              if (byte === delimiter || byte === LINE_FEED || byte === CARRIAGE_RETURN) break;
              if (byte === QUOTE) return 'rest';
              hash = Math.imul(hash ^ byte, 0x01000193);
            }
            end = at;
          }
          if (at >= length) isLineEnd = true;
          else if (bytes[at] === LINE_FEED) {
            isLineEnd = true;
            at += 1;
          } else if (bytes[at] === CARRIAGE_RETURN) {
            if (at + 1 < length && bytes[at + 1] !== LINE_FEED) return 'rest';
            isLineEnd = true;
            at += 2;
          } else at += 1;
          if (column >= width) {
            columns.clearRow();
            return 'line';
          }
          if (end > begin) {
            const table = tables[column];
            if (table) codes[column]![rows] = table.find(bytes, begin, end, hash);
          } else codes[column]![rows] = -1;
          column += 1;
        }
        if (column < width || at - start > 1 << 20) {
          if (isBlank(bytes, start, at)) {
            columns.clearRow();
            line += 1;
            continue;
          }
          columns.clearRow();
          return 'line';
        }
        if (width === 1 && isBlank(bytes, start, at)) columns.clearRow();
        else columns.endRow(line, start, Math.min(at, length));
        line += 1;
      }
      stoppedAt = length;
      stoppedLine = line;
      return 'block';
    },
  };
}

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte !== 0x20 && (byte < 9 || byte > 13)) return bytes.toString('utf8', from, to).trim() === '';
  }
  return true;
}
