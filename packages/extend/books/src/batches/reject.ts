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

/** What is wrong with a row that names no policy type, where each row is one policy. */
export const typeRequired: Fault = {
  path: '/policy_type',
  code: 'required',
  message: 'A policy of a book has a policy_type; give one.',
};

/** A rejected row as a line of NDJSON. */
export function writeReject({ row, line, faults, given }: RejectedRow): string {
  return JSON.stringify({ row, ...(line === undefined ? {} : { line }), faults, given });
}
