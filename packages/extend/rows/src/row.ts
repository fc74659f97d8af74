import type { TextLine } from './text-lines.ts';

/** The fault of a row that cannot be read. */
export interface RowFault {
  /** `malformed_row`: wrong quotation marks, number of cells or JSON. `record_too_long`: more characters than allowed. */
  readonly code: 'malformed_row' | 'record_too_long';
  readonly message: string;
}

interface RowPlace {
  /** First line of the row, from 1. */
  readonly line: number;
  /** The text of the row, with line ends as `\n`; only its beginning if it is too long. */
  readonly text: string;
}

/** A row that cannot be read. The following rows are read normally. */
export type FaultyRow = RowPlace & {
  readonly fault: RowFault;
  readonly cells?: undefined;
  readonly value?: undefined;
};

/** A row of CSV: a trimmed cell for each column. */
export type CsvRow = RowPlace & {
  readonly cells: readonly string[];
  readonly fault?: undefined;
  readonly value?: undefined;
};

/** A row of NDJSON. */
export type JsonRow = RowPlace & { readonly value: unknown; readonly fault?: undefined; readonly cells?: undefined };

export function tooLongRow({ number: line, text }: TextLine, maxRecordCharacters: number): FaultyRow {
  const max = maxRecordCharacters.toLocaleString('en-US');
  return {
    line,
    text,
    fault: {
      code: 'record_too_long',
      message: `Line ${line} is longer than the maximum of ${max} characters.`,
    },
  };
}
