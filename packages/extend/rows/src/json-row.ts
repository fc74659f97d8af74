import type { FaultyRow, JsonRow } from './row.ts';
import type { TextLine } from './text-lines.ts';
import { tooLongRow } from './too-long-row.ts';

/** A line of NDJSON as a row. */
export function jsonRow(line: TextLine, maxRecordCharacters: number): JsonRow | FaultyRow {
  if (line.isTooLong) return tooLongRow(line, maxRecordCharacters);
  const { number, text } = line;
  try {
    return { line: number, text, value: JSON.parse(text) };
  } catch (error) {
    const message = `Line ${number} is not JSON: ${(error as Error).message}`;
    return { line: number, text, fault: { code: 'malformed_row', message } };
  }
}
