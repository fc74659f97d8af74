import { type CompiledProgram, isCompiled } from '../compiled/compile-program.ts';
import { compiledProgramInSteps } from '../compiled/compiled-programs.ts';
import { carrierStatus, statusOfCarrier } from '../decide/carrier-verdict.ts';
import { readRules } from '../decide/rule-reading.ts';
import { buildRuleTableInSteps, type RuleTable } from '../decide/rule-table.ts';
import { type CoverCheck, createCoverCheck } from '../planes/cover-check.ts';
import { LANES, lanesWanted } from '../planes/lanes.ts';
import { createPlaneReader, type PlaneReader } from '../planes/plane-reader.ts';
import { buildPlaneTable, CARRIERS_PER_TABLE } from '../planes/plane-table.ts';
import { readPlanes, STATUS_CODES, writeStatuses } from '../planes/read-planes.ts';
import { buildReasonTable, type ReasonTable } from '../planes/reason-table.ts';
import { layOutRows } from '../planes/row-layout.ts';
import { buildStatusBoxes, type StatusBoxes } from '../planes/status-boxes.ts';
import { createTableAxes } from '../planes/table-axes.ts';
import type { Property } from '../request/property.ts';
import { runSteps, type Steps } from '../turns/steps.ts';
import { type SharedWork, shareWork, type Turn } from '../turns/turn.ts';
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
  /** Why they decline, by code; laid out when first asked for. */
  readonly reasons: () => ReasonTable;
  /** Settles statuses that the table leaves open, and finds which need it. Made when first needed. */
  readonly boxes: () => StatusBoxes;
  readonly check: () => CoverCheck;
}

/** The carriers of an era for one policy type. */
export interface StatusTables {
  /** Whether their rules are laid out, so that a decision only reads. */
  readonly isReady: boolean;
  /** Lays the rules out, with a pause now and then. */
  layOut(): Steps<readonly RuleTable[]>;
  /** Laid out when first asked for. */
  readonly groups: readonly TableGroup[];
  /** Their rules, term by term; laid out when first asked for. */
  readonly rules: readonly RuleTable[];
  /** Carriers that only the reference can judge. */
  readonly reference: readonly number[];
}

/** Told how many bytes were built, as estimated. */
export type OnBuilt = (bytes: number) => void;

const byEra = new WeakMap<Era, Map<string, StatusTables>>();
const underWay = new WeakMap<Era, Map<string, SharedWork<StatusTables>>>();

/** The tables of an era and policy type where they are compiled already. */
export function knownTables(era: Era, policyType: string): StatusTables | undefined {
  return byEra.get(era)?.get(policyType);
}

/** The same where they are laid out as well, so that a decision only reads. */
export function readyTables(era: Era, policyType: string): StatusTables | undefined {
  const known = knownTables(era, policyType);
  return known?.isReady ? known : undefined;
}

/** The tables of an era and policy type, compiled when first asked for. */
export function statusTables(era: Era, policyType: string, vocabulary: Vocabulary, onBuilt?: OnBuilt): StatusTables {
  return runSteps(compileTables(era, policyType, vocabulary, onBuilt));
}

/**
 * The same in turns of whoever waits for it, between which others have theirs; ready to decide by. What all have given
 * up stays as far as it is, and the next goes on with it.
 */
export async function statusTablesSoon(
  era: Era,
  policyType: string,
  vocabulary: Vocabulary,
  turn: Turn,
  onBuilt?: OnBuilt,
): Promise<StatusTables> {
  const building = underWay.get(era) ?? new Map<string, SharedWork<StatusTables>>();
  underWay.set(era, building);
  let work = building.get(policyType);
  if (!work) {
    work = shareWork(readyTablesInSteps(era, policyType, vocabulary, onBuilt));
    building.set(policyType, work);
  }
  try {
    return await work.finish(turn);
  } finally {
    if (work.isOver) building.delete(policyType);
  }
}

function* readyTablesInSteps(
  era: Era,
  policyType: string,
  vocabulary: Vocabulary,
  onBuilt?: OnBuilt,
): Steps<StatusTables> {
  const tables = yield* compileTables(era, policyType, vocabulary, onBuilt);
  yield* tables.layOut();
  return tables;
}

function* compileTables(
  era: Era,
  policyType: string,
  vocabulary: Vocabulary,
  onBuilt: OnBuilt = () => {},
): Steps<StatusTables> {
  const tables = byEra.get(era) ?? new Map<string, StatusTables>();
  byEra.set(era, tables);
  const known = tables.get(policyType);
  if (known) return known;
  const plain: TableCarrier[] = [];
  const reference: number[] = [];
  for (const [carrier, version] of era.versions.entries()) {
    if (!version) continue;
    const program = yield* compiledProgramInSteps(version.ruleSet, policyType, era.effectiveYear, vocabulary);
    if (!program) continue;
    if (!isCompiled(program)) reference.push(carrier);
    else plain.push({ program, carrier });
  }
  // Somebody in a hurry may have been here meanwhile.
  const built = tables.get(policyType) ?? lazyTables(plain, reference, onBuilt);
  if (!tables.has(policyType)) onBuilt(plain.reduce((sum, { program }) => sum + bytesOf(program), 0));
  tables.set(policyType, built);
  return built;
}

function lazyTables(plain: readonly TableCarrier[], reference: readonly number[], onBuilt: OnBuilt): StatusTables {
  let groups: readonly TableGroup[] | undefined;
  let rules: readonly RuleTable[] | undefined;
  function* layOut(): Steps<readonly RuleTable[]> {
    const built: RuleTable[] = [];
    for (const gathered of gatherCarriers(plain)) {
      if (rules) return rules;
      built.push(yield* buildRuleTableInSteps(gathered));
    }
    if (rules) return rules;
    rules = built;
    onBuilt(rules.reduce((sum, table) => sum + bytesOfRules(table), 0));
    return rules;
  }
  return {
    get isReady() {
      return rules !== undefined;
    },
    layOut,
    get groups() {
      if (!groups) {
        groups = groupCarriers(plain).map(createGroup);
        onBuilt(groups.reduce((sum, { reader }) => sum + BYTES_OF_TABLE + bytesOfReader(reader), 0));
      }
      return groups;
    },
    get rules() {
      return rules ?? runSteps(layOut());
    },
    reference,
  };
}

/** Objects about a table: axes, maps, readers. */
const BYTES_OF_TABLE = 16_384;
/** Objects about an axis, and about a decider. */
const BYTES_OF_AXIS = 2_048;
const BYTES_OF_DECIDER = 72;

/** What the planes of a table and their reader take, as estimated. */
function bytesOfReader({ rows, finder }: PlaneReader): number {
  return 2 * rows.byteLength + finder.direct.byteLength;
}

/** What a table of rules takes, as estimated: rows, deciders, and what finds the cell of a value. */
function bytesOfRules({ rows, deciders, axes }: RuleTable): number {
  let bytes = BYTES_OF_TABLE + rows.byteLength + BYTES_OF_DECIDER * deciders.length;
  for (const { encoder, rowOfCell, cellRows } of axes) {
    // The common axis beside: a sample and places of each cell.
    bytes += BYTES_OF_AXIS + 64 * rowOfCell.length + cellRows.byteLength;
    if (encoder?.kind !== 'number') continue;
    bytes += 2 * encoder.firstCut.byteLength + (encoder.direct?.byteLength ?? 0) + 2 * encoder.cuts.byteLength;
  }
  return bytes;
}

/** Objects about a program, a term, and a part of one. */
const BYTES_OF_PROGRAM = 8_192;
const BYTES_OF_TERM = 64;
const BYTES_OF_PART = 240;

/** What a compiled program takes, as estimated. */
function bytesOf({ rules, axes }: CompiledProgram): number {
  let bytes = BYTES_OF_PROGRAM;
  for (const known of axes) bytes += 64 * (known?.axis.size ?? 0);
  for (const { terms } of rules) {
    for (const term of terms) {
      bytes += BYTES_OF_TERM;
      for (const part of term) bytes += BYTES_OF_PART + part.cells.byteLength;
    }
  }
  return bytes;
}

/** Cells from which a carrier has a table to itself: the rows of its limits would be long for nothing. */
const CELLS_APART = 4096;

/** Puts carriers together, in their order, as long as their terms find lanes in one table. */
function groupCarriers(carriers: readonly TableCarrier[]): TableCarrier[][] {
  const groups: TableCarrier[][] = [];
  let open: TableCarrier[] = [];
  let lanes = 0;
  for (const each of carriers) {
    const cells = cellsOf(each);
    const wanted = lanesWanted(termsOf(each));
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

/** Words that the rows of one table of rules may take while it is laid out, if no two carriers shared a cell. */
const MAX_WORDS = 1 << 24;

/** Puts carriers together, in their order, as long as their rows do not grow out of hand. */
function gatherCarriers(carriers: readonly TableCarrier[]): TableCarrier[][] {
  const groups: TableCarrier[][] = [];
  let cells = 0;
  let words = 0;
  for (const each of carriers) {
    cells += cellsOf(each);
    words += Math.ceil((termsOf(each) + 1) / 32);
    const open = groups.at(-1);
    if (open && cells * words <= MAX_WORDS) open.push(each);
    else {
      groups.push([each]);
      cells = cellsOf(each);
      words = Math.ceil((termsOf(each) + 1) / 32);
    }
  }
  return groups;
}

function cellsOf({ program: { axes, place } }: TableCarrier): number {
  return axes.reduce((sum, known) => sum + (known?.axis.size ?? 0), place.size);
}

function termsOf({ program }: TableCarrier): number {
  return program.rules.reduce((sum, rule) => sum + rule.terms.length, 0);
}

function createGroup(carriers: readonly TableCarrier[]): TableGroup {
  const programs = carriers.map((each) => each.program);
  const axes = createTableAxes(programs);
  const layout = layOutRows(programs, axes);
  const table = buildPlaneTable(programs, axes, layout);
  const { vocabulary } = programs[0]!;
  let reasons: ReasonTable | undefined;
  let boxes: StatusBoxes | undefined;
  let check: CoverCheck | undefined;
  const boxesOnce = () => {
    boxes ??= buildStatusBoxes(programs, axes);
    return boxes;
  };
  return {
    reader: createPlaneReader(table, vocabulary),
    carriers,
    reasons: () => {
      reasons ??= buildReasonTable(programs, axes, layout, table.width);
      return reasons;
    },
    boxes: boxesOnce,
    check: () => {
      check ??= createCoverCheck(table, boxesOnce(), { vocabulary, widthOf: () => table.width });
      return check;
    },
  };
}

const scratch = new Uint8Array(CARRIERS_PER_TABLE);
const UNSETTLED = STATUS_CODES.indexOf('needs_information');
/** Carriers of a group whose status needs a search, low and high. */
const searched = new Int32Array(2);

/**
 * Writes one status code a carrier of the catalog, in its order, from `from` on: those of `decide`. What a table leaves
 * open and several terms may settle together is searched for.
 */
export function writeStatusCodes(
  tables: StatusTables,
  property: Property,
  out: Uint8Array,
  from: number,
  carrierCount: number,
): void {
  const { groups } = tables;
  const only = groups[0];
  let needsSearch = false;
  if (groups.length === 1 && only!.carriers.length === carrierCount) {
    // Every carrier in one table: its order is the catalog's.
    readPlanes(only!.reader, property);
    writeStatuses(only!.reader, out, from);
    needsSearch = needsSearchIn(only!, property);
  } else {
    out.fill(0, from, from + carrierCount);
    for (const group of groups) {
      const { reader, carriers } = group;
      readPlanes(reader, property);
      writeStatuses(reader, scratch, 0);
      for (let index = 0; index < carriers.length; index++) out[from + carriers[index]!.carrier] = scratch[index]!;
      needsSearch ||= needsSearchIn(group, property);
    }
  }
  if (needsSearch) for (const table of tables.rules) settleCodes(table, property, out, from);
}

/** True if a carrier that the last reading left open needs a search. */
function needsSearchIn({ reader, check }: TableGroup, { state }: Property): boolean {
  const openLow = reader.bits[6]!;
  const openHigh = reader.bits[7]!;
  if ((openLow | openHigh) === 0) return false;
  const found = check();
  const ofState = found.ofState(state);
  const { any } = ofState;
  if (!reader.usesScratch && ((openLow & any[0]!) | (openHigh & any[1]!)) === 0) return false;
  found.find(ofState, reader.encoded, 0, reader.bits[8]!, reader.bits[9]!, searched);
  return ((openLow & searched[0]!) | (openHigh & searched[1]!)) !== 0;
}

/** Settles what the planes left open. */
function settleCodes(table: RuleTable, property: Property, codes: Uint8Array, from: number): void {
  const reading = readRules(table, property);
  if (!reading) return;
  for (const number of reading.state.carriers) {
    const at = from + table.carriers[number]!.carrier;
    if (codes[at] === UNSETTLED) codes[at] = STATUS_CODES.indexOf(statusOfCarrier(carrierStatus(reading, number)));
  }
}
