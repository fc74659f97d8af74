import type { Readable } from 'node:stream';
import type { RejectionCode } from './read-record.ts';

export interface ImportOptions {
  /** The address book's file; made if there is none. */
  readonly database: string;
  /** A file as `@leeward/rows` reads it (CSV or NDJSON, any usual delimiter and encoding, gzip), or its bytes as a stream. */
  readonly csv: string | Readable;
  /** Names the file's addresses. Importing under the same name again replaces them. */
  readonly source: string;
  /** The state of addresses that name none, by name or abbreviation. With it, addresses of other states are left out. */
  readonly state?: string | undefined;
  /** What the points are: of the building (the default), or the middle of its parcel. */
  readonly precision?: 'rooftop' | 'parcel' | undefined;
  /** How far a home may be from its point; by default 30 for rooftops, 100 for parcels. */
  readonly errorRadiusMeters?: number | undefined;
  /** To be shown with the addresses, as their licence asks. */
  readonly attribution?: string | undefined;
  /** Called every 1,000 rows, and at the end. */
  readonly onProgress?: ((linesRead: number) => void) | undefined;
  /** Ends the import; the book stays as it was. */
  readonly signal?: AbortSignal | undefined;
}

export interface ImportReport {
  readonly source: string;
  /** Lines of the file, without the header. */
  readonly linesRead: number;
  /** Addresses now in the book from this file. */
  readonly imported: number;
  /** Lines of an address that an earlier line had: units of a building. */
  readonly duplicates: number;
  /** Lines left out, by the reason. */
  readonly rejected: Readonly<Partial<Record<RejectionCode, number>>>;
  /** The first ten of them: line numbers, the header being line 1. */
  readonly examples: readonly { readonly line: number; readonly code: RejectionCode }[];
  /** What was not said of the file but recognized, a sentence each: its delimiter, its encoding. */
  readonly recognized: readonly string[];
}
