import type { PlaneTable } from '../planes/plane-table.ts';
import type { ReasonTable } from '../planes/reason-table.ts';
import type { StatusBoxes } from '../planes/status-boxes.ts';

/** The tables of a catalog at one effective date, as plain data: what a worker thread is sent. */
export interface BookTables {
  readonly carrierCount: number;
  readonly asOfMs: number;
  /** By place in the vocabulary's policy types. */
  readonly byPolicyType: readonly BookTypeTables[];
}

export interface BookTypeTables {
  readonly groups: readonly BookGroup[];
  /** Carriers whose rules ask the host, and the states (by place in the list of all) where they offer the type. */
  readonly notJudged: readonly BookHostCarrier[];
}

export interface BookHostCarrier {
  /** Place of the carrier in the catalog. */
  readonly carrier: number;
  readonly states: ReadonlySet<number>;
}

export interface BookGroup {
  readonly table: PlaneTable;
  /** Place of each carrier of the table in the catalog. */
  readonly carriers: Int32Array;
  /** Why they decline, for counting. */
  readonly reasons: ReasonTable;
  /** Settles a status that the table leaves open. */
  readonly boxes: StatusBoxes;
}
