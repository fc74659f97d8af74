import { type CompiledProgram, isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { exactStatus } from '../compiled/exact-status.ts';
import { LANES, lanesWanted } from '../planes/lanes.ts';
import { buildPlaneTable, CARRIERS_PER_TABLE } from '../planes/plane-table.ts';
import { createPlaneReader, type PlaneReader, readPlanes, STATUS_CODES, writeStatuses } from '../planes/read-planes.ts';
import { buildReasonTable, type ReasonTable } from '../planes/reason-table.ts';
import { layOutRows } from '../planes/row-layout.ts';
import { type CarrierBits, carrierBits } from '../planes/rule-bits.ts';
import { createTableAxes } from '../planes/table-axes.ts';
import type { Property } from '../request/property.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Era } from './eras.ts';

/** A carrier of a catalog with its compiled program. */
export interface TableCarrier {
  /** Place in the catalog. */
  readonly carrier: number;
  readonly program: CompiledProgram;
}

/** Up to 64 carriers that are read at once. */
export interface TableGroup {
  readonly reader: PlaneReader;
  readonly carriers: readonly TableCarrier[];
  /** Their rules one by one; laid out when first asked for. */
  readonly bits: () => readonly CarrierBits[];
  /** Why they decline, by code; laid out when first asked for. */
  readonly reasons: () => ReasonTable;
}

/** The carriers of an era for one policy type. */
export interface StatusTables {
  readonly groups: readonly TableGroup[];
  /** Carriers that only the reference can judge. */
  readonly reference: readonly number[];
}

const byEra = new WeakMap<Era, Map<string, StatusTables>>();

/** The tables of an era and policy type, built when first asked for. */
export function statusTables(era: Era, policyType: string, vocabulary: Vocabulary): StatusTables {
  const tables = byEra.get(era) ?? new Map<string, StatusTables>();
  byEra.set(era, tables);
  const known = tables.get(policyType);
  if (known) return known;
  const plain: TableCarrier[] = [];
  const reference: number[] = [];
  era.versions.forEach((version, carrier) => {
    const program = version && compiledProgram(version.ruleSet, policyType, era.effectiveYear, vocabulary);
    if (!program) return;
    if (!isCompiled(program)) reference.push(carrier);
    else plain.push({ program, carrier });
  });
  const groups = groupCarriers(plain).map(createGroup);
  const built = { groups, reference };
  tables.set(policyType, built);
  return built;
}

/** Cells from which a carrier has a table to itself: the rows of its limits would be long for nothing. */
const CELLS_APART = 4096;

/** Puts carriers together, in their order, as long as their terms find lanes in one table. */
function groupCarriers(carriers: readonly TableCarrier[]): TableCarrier[][] {
  const groups: TableCarrier[][] = [];
  let open: TableCarrier[] = [];
  let lanes = 0;
  for (const each of carriers) {
    const { rules, axes } = each.program;
    const cells = axes.reduce((sum, known) => sum + (known?.axis.size ?? 0), 0);
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

function createGroup(carriers: readonly TableCarrier[]): TableGroup {
  const programs = carriers.map((each) => each.program);
  const axes = createTableAxes(programs);
  const layout = layOutRows(programs, axes);
  const table = buildPlaneTable(programs, axes, layout);
  let bits: readonly CarrierBits[] | undefined;
  let reasons: ReasonTable | undefined;
  return {
    reader: createPlaneReader(table, programs[0]!.vocabulary),
    carriers,
    bits: () => {
      bits ??= programs.map((program) => carrierBits(program, axes));
      return bits;
    },
    reasons: () => {
      reasons ??= buildReasonTable(programs, axes, layout, table.width);
      return reasons;
    },
  };
}

const scratch = new Uint8Array(CARRIERS_PER_TABLE);
const UNSETTLED = STATUS_CODES.indexOf('needs_information');

/**
 * Writes one status code a carrier of the catalog, in its order, from `from` on. Normalized: sound, and
 * exact in what is possible. `isExact`: what is left open is settled over all rules together.
 */
export function writeStatusCodes(
  tables: StatusTables,
  property: Property,
  out: Uint8Array,
  from: number,
  carrierCount: number,
  isExact: boolean,
): void {
  const only = tables.groups[0];
  if (tables.groups.length === 1 && only!.carriers.length === carrierCount) {
    // Every carrier in one table: its order is the catalog's.
    readPlanes(only!.reader, property);
    writeStatuses(only!.reader, out, from);
    if (isExact) settleCodes(only!, property, out, from);
    return;
  }
  out.fill(0, from, from + carrierCount);
  for (const group of tables.groups) {
    const { reader, carriers } = group;
    readPlanes(reader, property);
    writeStatuses(reader, scratch, 0);
    if (isExact) settleCodes(group, property, scratch, 0);
    for (let index = 0; index < carriers.length; index++) out[from + carriers[index]!.carrier] = scratch[index]!;
  }
}

/** Settles exactly what the planes left open. */
function settleCodes({ reader, carriers }: TableGroup, property: Property, codes: Uint8Array, from: number): void {
  if (reader.looseCount[0] === 0) return;
  for (let index = 0; index < carriers.length; index++) {
    if (codes[from + index] !== UNSETTLED) continue;
    const status = exactStatus(carriers[index]!.program, property);
    if (status !== undefined) codes[from + index] = STATUS_CODES.indexOf(status);
  }
}
