import type { Catalog } from '@leeward/engine';
import {
  type CompiledCarriers,
  type CompiledProgram,
  compiledCarriers,
  coversState,
  createTableAxes,
  type TableCarrier,
} from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import { ladderPrograms } from './ladder-program.ts';
import { LANES, laneCountFor } from './lanes.ts';
import { buildPlaneTable, type PlaneTable } from './plane-table.ts';
import { buildReasonTable, type ReasonTable } from './reason-table.ts';
import { layOutRows } from './row-layout.ts';
import { buildStatusBoxes, type StatusBoxes } from './status-boxes.ts';

/** Dates for which tables evaluate all rows of a book. */
export interface BookDates {
  /** Governs moratoria. */
  readonly asOf: Date;
  /** `YYYY-MM-DD`. Governs ages and versions of rule sets. */
  readonly effectiveDate: string;
}

/** The tables of a catalog for one effective date. Plain data for worker threads. */
export interface BookTables {
  readonly carrierCount: number;
  readonly asOfMs: number;
  /** Date of columns without dates, `YYYY-MM-DD`. */
  readonly effectiveDate: string;
  /** By index in the vocabulary's policy types. */
  readonly byPolicyType: readonly BookTypeTables[];
}

export interface BookTypeTables {
  readonly groups: readonly BookGroup[];
  /** Carriers whose rules need the host, or whose tiers combine in too many ways. */
  readonly notEvaluated: readonly BookHostCarrier[];
}

interface BookHostCarrier {
  /** Index of the carrier in the catalog. */
  readonly carrier: number;
  /** The states where it offers the policy type, by index in `states`. */
  readonly states: ReadonlySet<number>;
}

/** A carrier of a table. */
interface BookCarrier extends TableCarrier {
  /** The program of its reasons, if that is another. */
  readonly reasons?: CompiledProgram;
}

/** Up to 64 carriers that are evaluated together. */
export interface BookGroup {
  readonly table: PlaneTable;
  /** By carrier of the table, its index in the catalog. */
  readonly carriers: Int32Array;
  readonly reasons: ReasonTable;
  /** For statuses that the table leaves open. */
  readonly boxes: StatusBoxes;
}

const byCarriers = new WeakMap<CompiledCarriers, BookTypeTables>();

/**
 * The tables of a catalog's carriers for one effective date. They are built once and cached with the catalog's compiled rules. Carriers
 * whose rules need the host, or whose tiers combine in too many ways, are `not_judged` in a book.
 *
 * @throws {Error} if the catalog evaluates all rules with json-rules-engine.
 *
 * @example
 * const tables = bookTables(catalog, { asOf: new Date(), effectiveDate: '2026-11-20' });
 */
export function bookTables(catalog: Catalog, { asOf, effectiveDate }: BookDates): BookTables {
  return {
    carrierCount: catalog.carriers.length,
    asOfMs: asOf.getTime(),
    effectiveDate,
    byPolicyType: catalog.vocabulary.policyTypes.map((policyType) => {
      const compiled = compiledCarriers(catalog, effectiveDate, policyType);
      const tables = byCarriers.get(compiled) ?? buildTypeTables(compiled, policyType);
      byCarriers.set(compiled, tables);
      return tables;
    }),
  };
}

function buildTypeTables(
  { carriers, ladders, reference, versions }: CompiledCarriers,
  policyType: string,
): BookTypeTables {
  const tabled: BookCarrier[] = [...carriers];
  const notTabled = [...reference];
  for (const { carrier, ladder } of ladders) {
    const programs = ladderPrograms(ladder);
    if (programs) tabled.push({ carrier, program: programs.status, reasons: programs.reasons });
    else notTabled.push(carrier);
  }
  tabled.sort((a, b) => a.carrier - b.carrier);
  return {
    groups: groupCarriers(tabled).map(createBookGroup),
    notEvaluated: notTabled.map((carrier) => {
      const { programs } = versions[carrier]!.ruleSet;
      const offering = programs.filter((program) => program.policyTypes.includes(policyType));
      const isOffered = (state: string) => offering.some(({ places }) => coversState(places, state));
      return { carrier, states: new Set(states.flatMap(({ code }, index) => (isOffered(code) ? [index] : []))) };
    }),
  };
}

/** A carrier with more cells has a separate table, because its limits would lengthen the rows of other carriers. */
const CELLS_APART = 4096;

/** Groups carriers, in their order, while their terms fit into the lanes of one table. */
function groupCarriers(carriers: readonly BookCarrier[]): BookCarrier[][] {
  const groups: BookCarrier[][] = [];
  let open: BookCarrier[] = [];
  let lanes = 0;
  for (const each of carriers) {
    const { axes, place, rules } = each.program;
    const cells = axes.reduce((sum, axis) => sum + (axis?.axis.size ?? 0), place.size);
    const laneCount = laneCountFor(rules.reduce((sum, rule) => sum + rule.terms.length, 0));
    if (cells > CELLS_APART || laneCount === LANES) {
      groups.push([each]);
      continue;
    }
    if (lanes + laneCount > LANES || open.length === 0) {
      open = [];
      groups.push(open);
      lanes = 0;
    }
    open.push(each);
    lanes += laneCount;
  }
  return groups;
}

/** Builds the tables of up to 64 carriers. */
export function createBookGroup(carriers: readonly BookCarrier[]): BookGroup {
  const programs = carriers.map((each) => each.program);
  const axes = createTableAxes(programs);
  const layout = layOutRows(programs, axes);
  const table = buildPlaneTable(programs, axes, layout);
  let reasons: ReasonTable | undefined;
  let boxes: StatusBoxes | undefined;
  return {
    table,
    carriers: Int32Array.from(carriers, ({ carrier }) => carrier),
    // Built on first use: by a tally, by a row with an open status, or by the copy for a thread.
    get reasons() {
      reasons ??= buildReasonTable(
        carriers.map((each) => each.reasons ?? each.program),
        axes,
        layout,
      );
      return reasons;
    },
    get boxes() {
      boxes ??= buildStatusBoxes(programs, axes);
      return boxes;
    },
  };
}
