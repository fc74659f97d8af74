/** Why a row cannot be read. */
export interface RowFault {
  /** `malformed_row`: quotation marks, the number of cells, or JSON; `record_too_long`: over the most characters a record. */
  readonly code: 'malformed_row' | 'record_too_long';
  /** A sentence that names the line. */
  readonly message: string;
}

interface RowPlace {
  /** Line of the file where the row begins; the first is 1. */
  readonly line: number;
  /** The row as it stands in the file, line ends as `\n`; the beginning of it where it is too long. */
  readonly text: string;
}

/** A row that could not be read. The rows behind it are read as though it were not there. */
export type FaultyRow = RowPlace & {
  readonly fault: RowFault;
  readonly cells?: undefined;
  readonly value?: undefined;
};

/** A row of CSV: a cell for each column, blanks around it removed. */
export type CsvRow = RowPlace & {
  readonly cells: readonly string[];
  readonly fault?: undefined;
  readonly value?: undefined;
};

/** A row of NDJSON. */
export type JsonRow = RowPlace & { readonly value: unknown; readonly fault?: undefined; readonly cells?: undefined };

/** A row as it was read, or what is wrong with it; each has its line. */
export type Row = CsvRow | JsonRow | FaultyRow;
