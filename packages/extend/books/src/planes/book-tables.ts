import type { Catalog } from '@leeward/engine';
import {
  type CompiledCarriers,
  compiledCarriers,
  coversState,
  createTableAxes,
  type TableCarrier,
} from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import { LANES, lanesWanted } from './lanes.ts';
import { buildPlaneTable, type PlaneTable } from './plane-table.ts';
import { buildReasonTable, type ReasonTable } from './reason-table.ts';
import { layOutRows } from './row-layout.ts';
import { buildStatusBoxes, type StatusBoxes } from './status-boxes.ts';

/** When a whole book is judged: the instant of asking and the effective date are one for all rows. */
export interface BookDates {
  readonly asOf: Date;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
}

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

const byCarriers = new WeakMap<CompiledCarriers, BookTypeTables>();

/**
 * The tables of a catalog's carriers for a book evaluated at one date. Built once for each version of the rules. Carriers
 * whose rules need the host are `not_judged`.
 *
 * @throws {Error} if the catalog evaluates all rules by the reference evaluator.
 */
export function bookTables(catalog: Catalog, { asOf, effectiveDate }: BookDates): BookTables {
  return {
    carrierCount: catalog.carriers.length,
    asOfMs: asOf.getTime(),
    byPolicyType: catalog.vocabulary.policyTypes.map((policyType) => {
      const compiled = compiledCarriers(catalog, effectiveDate, policyType);
      const tables = byCarriers.get(compiled) ?? buildTypeTables(compiled, policyType);
      byCarriers.set(compiled, tables);
      return tables;
    }),
  };
}

function buildTypeTables({ carriers, reference, versions }: CompiledCarriers, policyType: string): BookTypeTables {
  return {
    groups: groupCarriers(carriers).map(createBookGroup),
    notJudged: reference.map((carrier) => {
      const { programs } = versions[carrier]!.ruleSet;
      const offering = programs.filter((program) => program.policyTypes.includes(policyType));
      const isOffered = (state: string) => offering.some(({ places }) => coversState(places, state));
      return { carrier, states: new Set(states.flatMap(({ code }, index) => (isOffered(code) ? [index] : []))) };
    }),
  };
}

/** A carrier with more cells than this has a table of its own: other carriers would have long rows for its limits. */
const CELLS_APART = 4096;

/** Groups carriers, in their order, as long as their terms fit into the lanes of one table. */
function groupCarriers(carriers: readonly TableCarrier[]): TableCarrier[][] {
  const groups: TableCarrier[][] = [];
  let open: TableCarrier[] = [];
  let lanes = 0;
  for (const each of carriers) {
    const { axes, place, rules } = each.program;
    const cells = axes.reduce((sum, known) => sum + (known?.axis.size ?? 0), place.size);
    const wanted = lanesWanted(rules.reduce((sum, rule) => sum + rule.terms.length, 0));
    if (cells > CELLS_APART || wanted === LANES) {
      groups.push([each]);
      continue;
    }
    if (lanes + wanted > LANES || open.length === 0) {
      open = [];
      groups.push(open);
      lanes = 0;
    }
    open.push(each);
    lanes += wanted;
  }
  return groups;
}

/** Builds the tables of up to 64 carriers. */
export function createBookGroup(carriers: readonly TableCarrier[]): BookGroup {
  const programs = carriers.map((each) => each.program);
  const axes = createTableAxes(programs);
  const layout = layOutRows(programs, axes);
  const table = buildPlaneTable(programs, axes, layout);
  let reasons: ReasonTable | undefined;
  let boxes: StatusBoxes | undefined;
  return {
    table,
    carriers: Int32Array.from(carriers, ({ carrier }) => carrier),
    // Built when first read: by a tally, by a row with an open status, or by the copy for a thread.
    get reasons() {
      reasons ??= buildReasonTable(programs, axes, layout, table.width);
      return reasons;
    },
    get boxes() {
      boxes ??= buildStatusBoxes(programs, axes);
      return boxes;
    },
  };
}
