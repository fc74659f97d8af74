import type { Fault } from '@leeward/engine';

/** A row that was not judged, with all that is wrong with it: what HTTP would answer. */
export interface RejectedRow {
  /** Place in the book, from 1. */
  readonly row: number;
  /** Of a file of text. */
  readonly line: number | undefined;
  readonly faults: readonly Fault[];
  /** The row as it stands in a file of text, or as a request. */
  readonly given: unknown;
}
