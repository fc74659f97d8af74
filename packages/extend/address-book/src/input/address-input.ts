import type { HouseRecord, RangeRecord } from '../record.ts';

/** Why a row, or one side of a range, was left out or is doubtful. */
export type RejectionCode =
  | 'malformed_row'
  | 'record_too_long'
  | 'no_number'
  | 'no_street'
  | 'no_state'
  | 'unknown_state'
  | 'other_state'
  | 'no_coordinates'
  | 'zero_coordinates'
  | 'projected_coordinates'
  | 'swapped_coordinates'
  | 'outside_us'
  | 'retired'
  | 'no_line'
  | 'no_range'
  | 'unreadable_range'
  | 'parity_differs'
  | 'runs_backwards';

/** What is wrong with a row, and what was expected. */
export interface RowFinding {
  readonly code: RejectionCode;
  readonly message: string;
}

/** A row of a file of addresses. */
export interface InputRow {
  readonly file: string;
  /** The line of a text, the first being 1; the record of a shapefile; the feature of a collection. */
  readonly row: number;
  readonly houses: readonly HouseRecord[];
  readonly ranges: readonly RangeRecord[];
  /** What was left out of it. */
  readonly rejected: readonly RowFinding[];
  /** What was taken, with a doubt. */
  readonly doubtful: readonly RowFinding[];
}

export const inputFormats = ['tiger', 'open_addresses', 'national_address_database', 'table'] as const;
/** A format of address files. */
export type InputFormat = (typeof inputFormats)[number];

/** A file of addresses, to be read once. */
export interface AddressInput {
  readonly format: InputFormat;
  /** Whether the file ended in the middle of a line, once it is read: a last row that cannot be read was cut off. */
  endsWithinLine(): boolean;
  readonly rows: AsyncIterable<InputRow>;
  /** Bytes of the source read so far. */
  bytesRead(): number;
  /** What was not said of the file but recognized, a sentence each. */
  recognized(): readonly string[];
  close(): void;
}
