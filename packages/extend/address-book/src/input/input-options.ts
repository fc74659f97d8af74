import type { ZipGazetteer } from '@leeward/places/zips';
import type { RecordKind } from '../record.ts';
import type { ColumnMap } from './columns.ts';

export interface InputOptions {
  readonly zips: ZipGazetteer;
  /** Postal abbreviation in lower case, for rows without a state. Rows of other states are left out. */
  readonly state: string | undefined;
  /** Kind of the records if the file does not state it. */
  readonly kind: RecordKind | undefined;
  readonly columns: ColumnMap | undefined;
  readonly layer: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called while a zip is unpacked, before its first row. */
  readonly onUnpacked?: (() => void) | undefined;
}
