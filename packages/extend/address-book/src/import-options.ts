import type { Readable } from 'node:stream';
import type { InputFormat, RejectionCode } from './input/address-input.ts';
import type { ColumnMap } from './input/columns.ts';
import type { RecordKind } from './record.ts';

/** Options of `importAddresses`. */
export interface ImportOptions {
  /** Path of the book; created if missing. */
  readonly database: string;
  /**
   * A file, a folder, or a stream of text. TIGER/Line address ranges (ADDRFEAT, .shp or .zip), OpenAddresses (GeoJSON, .gz, .zip, older
   * CSV), the National Address Database (.txt, .csv, .zip), or any CSV or NDJSON with usual or mapped columns.
   */
  readonly from: string | Readable;
  /** Importing the same name again replaces its addresses. */
  readonly source: string;
  /** Name or abbreviation, for addresses without a state. Addresses of other states are left out. @default none */
  readonly state?: string | undefined;
  /** Meaning of the points if the file does not state it. @default 'rooftop' */
  readonly kind?: RecordKind | undefined;
  /** Columns of a table. @default recognized by name */
  readonly columns?: ColumnMap | undefined;
  /** File of a zip with several. @default the only one */
  readonly layer?: string | undefined;
  /** Maximum distance of a home from its point. @default by the kind of the points */
  readonly errorRadiusMeters?: number | undefined;
  /** Text that the licence requires next to the addresses. @default none */
  readonly attribution?: string | undefined;
  /** Called at the start, while a zip is unpacked, every 1,000 rows, and at the end. @default none */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Aborts the import, which can then resume. @default none */
  readonly signal?: AbortSignal | undefined;
  /** @default the system's clock */
  readonly now?: (() => Date) | undefined;
}

/** Progress of an import. */
export interface ImportProgress {
  readonly rowsRead: number;
  readonly bytesRead: number;
  /** Undefined for a stream. */
  readonly totalBytes: number | undefined;
}

/** A row that was left out, or imported with a doubt. */
export interface ImportFinding {
  readonly file: string;
  /** Line of a text, from 1; record of a shapefile; feature of a collection. */
  readonly row: number;
  readonly code: RejectionCode;
  readonly message: string;
}

/** Result of an import. */
export interface ImportReport {
  readonly source: string;
  readonly format: InputFormat;
  readonly files: number;
  /** Rows of all files, without headers. */
  readonly rowsRead: number;
  readonly houses: number;
  readonly ranges: number;
  /** Rows that repeat a house or range, such as units of a building. */
  readonly duplicates: number;
  /** Rows that got the ZIP code of the nearest ZIP point. */
  readonly zipsByPosition: number;
  /** Rows left out, by reason. */
  readonly rejected: Readonly<Partial<Record<RejectionCode, number>>>;
  /** Rows imported with a larger radius, by reason. */
  readonly doubtful: Readonly<Partial<Record<RejectionCode, number>>>;
  readonly examples: readonly ImportFinding[];
  /** Row at which the import resumed, or 0. */
  readonly resumedAtRow: number;
  /** Recognized delimiters and encodings, one sentence each. */
  readonly recognized: readonly string[];
}
