import { type CompiledProgram, isCompiled } from '../compiled/compile-program.ts';
import { compiledProgramInSteps } from '../compiled/compiled-programs.ts';
import { carrierStatus, statusOfCarrier } from '../decide/carrier-verdict.ts';
import { readRules } from '../decide/rule-reading.ts';
import { buildRuleTableInSteps, type RuleTable } from '../decide/rule-table.ts';
import type { Property } from '../request/property.ts';
import { runSteps, type Steps } from '../turns/steps.ts';
import { type SharedWork, shareWork, type Turn } from '../turns/turn.ts';
import { STATUS_CODES } from '../verdict/status-codes.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { CompiledCarriers, TableCarrier } from './compiled-carriers.ts';
import type { Era } from './eras.ts';

/** The carriers of an era for one policy type. */
export interface StatusTables extends CompiledCarriers {
  /** Whether their rules are laid out, so that a decision only reads. */
  readonly isReady: boolean;
  /** Lays the rules out, with a pause now and then. */
  layOut(): Steps<readonly RuleTable[]>;
  /** Their rules, term by term; laid out when first asked for. */
  readonly rules: readonly RuleTable[];
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
  const built = tables.get(policyType) ?? lazyTables(plain, reference, era, onBuilt);
  if (!tables.has(policyType)) onBuilt(plain.reduce((sum, { program }) => sum + bytesOf(program), 0));
  tables.set(policyType, built);
  return built;
}

function lazyTables(
  carriers: readonly TableCarrier[],
  reference: readonly number[],
  { versions }: Era,
  onBuilt: OnBuilt,
): StatusTables {
  let rules: readonly RuleTable[] | undefined;
  function* layOut(): Steps<readonly RuleTable[]> {
    const built: RuleTable[] = [];
    for (const gathered of gatherCarriers(carriers)) {
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
    get rules() {
      return rules ?? runSteps(layOut());
    },
    carriers,
    reference,
    versions,
  };
}

/** Objects about a table: axes, maps, readers. */
const BYTES_OF_TABLE = 16_384;
/** Objects about an axis, and about a decider. */
const BYTES_OF_AXIS = 2_048;
const BYTES_OF_DECIDER = 72;

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

/** Writes the status code of each carrier of the tables, as `decide` finds it, from `from` on in the catalog's order. */
export function writeStatusCodes({ rules }: StatusTables, property: Property, out: Uint8Array, from: number): void {
  for (const table of rules) {
    const reading = readRules(table, property);
    if (!reading) continue;
    for (const number of reading.state.carriers) {
      const status = statusOfCarrier(carrierStatus(reading, number));
      out[from + table.carriers[number]!.carrier] = STATUS_CODES.indexOf(status);
    }
  }
}
