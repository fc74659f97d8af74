import type { Readable } from 'node:stream';
import type { InputFormat, RejectionCode } from './input/address-input.ts';
import type { ColumnMap } from './input/columns.ts';
import type { RecordKind } from './record.ts';

/** A file of addresses, the database it goes into, and what the file does not say of itself. */
export interface ImportOptions {
  /** The address book's file; made if there is none. */
  readonly database: string;
  /**
   * What to import: a file, or a folder of them; or the bytes of a text as a stream. TIGER/Line address ranges (ADDRFEAT, .shp or
   * .zip), OpenAddresses (GeoJSON, .gz, .zip, the older CSV), the National Address Database (.txt, .csv, .zip), or any CSV or
   * NDJSON with columns of the usual names or a map of them.
   */
  readonly from: string | Readable;
  /** Names the addresses. Importing under the same name again replaces them. */
  readonly source: string;
  /** The state of addresses that name none, by name or abbreviation. With it, addresses of other states are left out. */
  readonly state?: string | undefined;
  /** What the points stand for, where the file does not say; default `rooftop`. */
  readonly kind?: RecordKind | undefined;
  /** Columns of a table by what they hold, where their names do not say. */
  readonly columns?: ColumnMap | undefined;
  /** Which file of a zip that holds several. */
  readonly layer?: string | undefined;
  /** How far a home may be from its point; by default what is usual for what the points stand for. */
  readonly errorRadiusMeters?: number | undefined;
  /** To be shown with the addresses, as their licence asks. */
  readonly attribution?: string | undefined;
  /** Called at the start, now and then while a zip is unpacked, every 1,000 rows, and at the end. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Ends the import; readers see what they saw, and the same import goes on from there. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the clock of this machine. */
  readonly now?: (() => Date) | undefined;
}

/** How far an import is: rows, and bytes of the file. */
export interface ImportProgress {
  readonly rowsRead: number;
  readonly bytesRead: number;
  /** Undefined for a stream. */
  readonly totalBytes: number | undefined;
}

/** A row that was left out, or taken with a doubt. */
export interface ImportFinding {
  readonly file: string;
  /** The line of a text, the first being 1; the record of a shapefile; the feature of a collection. */
  readonly row: number;
  readonly code: RejectionCode;
  /** What was expected. */
  readonly message: string;
}

/** What an import took and what it left out, each row's fault counted. */
export interface ImportReport {
  readonly source: string;
  readonly format: InputFormat;
  readonly files: number;
  /** Rows of all files, without headers. */
  readonly rowsRead: number;
  /** Houses now in the book from these files. */
  readonly houses: number;
  /** Ranges of house numbers now in the book from these files. */
  readonly ranges: number;
  /** Rows of a house or range that an earlier row had: units of a building. */
  readonly duplicates: number;
  /** Rows whose ZIP code is that of the nearest ZIP point, for they have none. */
  readonly zipsByPosition: number;
  /** Rows left out, by the reason. */
  readonly rejected: Readonly<Partial<Record<RejectionCode, number>>>;
  /** Rows taken with a doubt that widens their radius, by the reason. */
  readonly doubtful: Readonly<Partial<Record<RejectionCode, number>>>;
  /** The first ten of both. */
  readonly examples: readonly ImportFinding[];
  /** The row at which an import that was killed was taken up again; 0 for one that began anew. */
  readonly resumedAtRow: number;
  /** What was not said of the files but recognized, a sentence each: delimiters, encodings. */
  readonly recognized: readonly string[];
}
