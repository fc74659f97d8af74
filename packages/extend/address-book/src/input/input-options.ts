import type { ZipGazetteer } from '@leeward/places/zips';
import type { RecordKind } from '../record.ts';
import type { ColumnMap } from './columns.ts';

/** How files of addresses are read. */
export interface InputOptions {
  readonly zips: ZipGazetteer;
  /** Postal abbreviation in lower case: the state of rows that name none; with it, rows of other states are left out. */
  readonly state: string | undefined;
  /** What the records are, where their file does not say. */
  readonly kind: RecordKind | undefined;
  /** Columns of a table by what they hold. */
  readonly columns: ColumnMap | undefined;
  /** Which file of a zip. */
  readonly layer: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called now and then while a zip is unpacked, before its first row. */
  readonly onUnpacked?: (() => void) | undefined;
}
