import type { HouseRecord, RangeRecord } from '../record.ts';

/** Reasons to leave out a row or one side of a range, or to doubt it. */
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

export interface RowFinding {
  readonly code: RejectionCode;
  readonly message: string;
}

export interface InputRow {
  readonly file: string;
  /** Line of a text, from 1; record of a shapefile; feature of a collection. */
  readonly row: number;
  readonly houses: readonly HouseRecord[];
  readonly ranges: readonly RangeRecord[];
  /** Parts that were left out. */
  readonly rejected: readonly RowFinding[];
  /** Parts that were imported with a doubt. */
  readonly doubtful: readonly RowFinding[];
}

export const inputFormats = ['tiger', 'open_addresses', 'national_address_database', 'table'] as const;
/** A format of address files. */
export type InputFormat = (typeof inputFormats)[number];

/** A file of addresses, to be read once. */
export interface AddressInput {
  readonly format: InputFormat;
  /** After reading: true if the file ended inside a line, so an invalid last row was truncated. */
  endsWithinLine(): boolean;
  readonly rows: AsyncIterable<InputRow>;
  bytesRead(): number;
  /** Recognized delimiters and encodings, one sentence each. */
  recognized(): readonly string[];
  close(): void;
}
