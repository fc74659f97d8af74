import { type CompiledProgram, isCompiled } from '../compiled/compile-program.ts';
import { compiledProgram } from '../compiled/compiled-programs.ts';
import { isLadder } from '../compiled/ladder.ts';
import { createRuleTableBuilder, type RuleTableBuilder } from '../decide/build-rule-table.ts';
import { carrierStatus, statusOfCarrier } from '../decide/carrier-verdict.ts';
import { readRules } from '../decide/rule-reading.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import type { Property } from '../request/property.ts';
import { nextTurn, type Turn } from '../turns/turn.ts';
import { STATUS_CODES } from '../verdict/status-codes.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { CompiledCarriers, LadderCarrier, TableCarrier } from './compiled-carriers.ts';
import type { Era } from './eras.ts';

/**
 * The compiled carriers of an era for one policy type. They are built in pieces: the program of each carrier, then the rule tables. All
 * decisions share the pieces; the next caller continues an interrupted build.
 */
export interface StatusTables extends CompiledCarriers {
  readonly isReady: boolean;
  buildNext(): void;
  /** Builds missing pieces when read. */
  readonly rules: readonly RuleTable[];
}

/** Called with the estimated size of new tables, in bytes. */
export type OnBuilt = (bytes: number) => void;

const byEra = new WeakMap<Era, Map<string, StatusTables>>();

/** Compiles nothing until the tables are read. */
export function statusTables(era: Era, policyType: string, vocabulary: Vocabulary, onBuilt?: OnBuilt): StatusTables {
  let tables = byEra.get(era);
  if (!tables) {
    tables = new Map();
    byEra.set(era, tables);
  }
  let tablesOfType = tables.get(policyType);
  if (!tablesOfType) {
    tablesOfType = createStatusTables(era, policyType, vocabulary, onBuilt);
    tables.set(policyType, tablesOfType);
  }
  return tablesOfType;
}

export async function buildTables(tables: StatusTables, turn: Turn): Promise<void> {
  for (;;) {
    await nextTurn(turn);
    if (tables.isReady) return;
    tables.buildNext();
  }
}

function createStatusTables(
  { versions, effectiveYear }: Era,
  policyType: string,
  vocabulary: Vocabulary,
  onBuilt: OnBuilt = () => {},
): StatusTables {
  const carriers: TableCarrier[] = [];
  const ladders: LadderCarrier[] = [];
  const reference: number[] = [];
  let compiled = 0;
  let groups: readonly (readonly TableCarrier[])[] | undefined;
  const rules: RuleTable[] = [];
  let builder: RuleTableBuilder | undefined;
  const areProgramsReady = () => compiled === versions.length;
  const compileNext = (): void => {
    const version = versions[compiled];
    const program = version && compiledProgram(version.ruleSet, policyType, effectiveYear, vocabulary);
    if (program && isCompiled(program)) carriers.push({ program, carrier: compiled });
    else if (program && isLadder(program)) ladders.push({ ladder: program, carrier: compiled });
    else if (program) reference.push(compiled);
    compiled++;
    if (!areProgramsReady()) return;
    const programs = [...carriers.map((each) => each.program), ...ladders.map(({ ladder }) => ladder.whole)];
    onBuilt(programs.reduce((sum, each) => sum + estimateProgramBytes(each), 0));
  };
  const compileAll = (): void => {
    while (!areProgramsReady()) compileNext();
  };
  const buildNextTable = (): void => {
    groups ??= groupsByCertainty(carriers).flatMap(groupCarriers);
    const next = groups[rules.length];
    if (next) {
      builder ??= createRuleTableBuilder(next);
      const table = builder.buildNext();
      if (!table) return;
      builder = undefined;
      rules.push(table);
    }
    if (rules.length === groups.length) onBuilt(rules.reduce((sum, table) => sum + estimateTableBytes(table), 0));
  };
  const isReady = () => areProgramsReady() && rules.length === groups?.length;
  return {
    get isReady() {
      return isReady();
    },
    buildNext() {
      if (!areProgramsReady()) compileNext();
      else if (!isReady()) buildNextTable();
    },
    get rules() {
      compileAll();
      while (!isReady()) buildNextTable();
      return rules;
    },
    get carriers() {
      compileAll();
      return carriers;
    },
    get ladders() {
      compileAll();
      return ladders;
    },
    get reference() {
      compileAll();
      return reference;
    },
    versions,
  };
}

const BYTES_OF_TABLE = 16_384;
const BYTES_OF_AXIS = 2_048;
const BYTES_OF_DECIDER = 72;

function estimateTableBytes({ rows, deciders, axes }: RuleTable): number {
  let bytes = BYTES_OF_TABLE + rows.byteLength + BYTES_OF_DECIDER * deciders.length;
  for (const { encoder, rowOfCell, cellRows } of axes) {
    bytes += BYTES_OF_AXIS + 64 * rowOfCell.length + cellRows.byteLength;
    if (encoder?.kind !== 'number') continue;
    bytes += 2 * encoder.firstCut.byteLength + (encoder.direct?.byteLength ?? 0) + 2 * encoder.cuts.byteLength;
  }
  return bytes;
}

const BYTES_OF_PROGRAM = 8_192;
const BYTES_OF_TERM = 64;
const BYTES_OF_PART = 240;

function estimateProgramBytes({ rules, axes }: CompiledProgram): number {
  let bytes = BYTES_OF_PROGRAM;
  for (const each of axes) bytes += 64 * (each?.axis.size ?? 0);
  for (const { terms } of rules) {
    for (const term of terms) {
      bytes += BYTES_OF_TERM;
      for (const part of term) bytes += BYTES_OF_PART + part.cells.byteLength;
    }
  }
  return bytes;
}

/** Maximum number of words of one table during layout, if no two carriers share a cell. */
const MAX_WORDS = 1 << 24;
/** Maximum terms × cells of a table of several carriers, so that an axis takes about 10 ms. */
const MAX_TERM_CELLS = 100_000_000;

/** A table reads a property at one certainty. */
function groupsByCertainty(carriers: readonly TableCarrier[]): TableCarrier[][] {
  const groups = new Map<number | undefined, TableCarrier[]>();
  for (const each of carriers) {
    const { certainty } = each.program.ruleSet;
    const group = groups.get(certainty);
    if (group) group.push(each);
    else groups.set(certainty, [each]);
  }
  return [...groups.values()];
}

/** Groups carriers, in their order, into tables. */
function groupCarriers(carriers: readonly TableCarrier[]): TableCarrier[][] {
  const groups: TableCarrier[][] = [];
  let cells = 0;
  let terms = 0;
  let words = 0;
  for (const each of carriers) {
    const own = termsOf(each);
    cells += cellsOf(each);
    terms += own;
    words += wordsFor(own);
    const open = groups.at(-1);
    if (open && cells * words <= MAX_WORDS && cells * terms <= MAX_TERM_CELLS) open.push(each);
    else {
      groups.push([each]);
      cells = cellsOf(each);
      terms = own;
      words = wordsFor(own);
    }
  }
  return groups;
}

function wordsFor(terms: number): number {
  return Math.ceil((terms + 1) / 32);
}

function cellsOf({ program: { axes, place } }: TableCarrier): number {
  return axes.reduce((sum, each) => sum + (each?.axis.size ?? 0), place.size);
}

function termsOf({ program }: TableCarrier): number {
  const offered = new Set(program.demands.map(({ terms }) => terms));
  const ofRules = program.rules.reduce((sum, { terms }) => sum + (offered.has(terms) ? 0 : terms.length), 0);
  return [...offered].reduce((sum, terms) => sum + terms.length, ofRules);
}

/** Writes to `out` from index `from`, in the order of the catalog. */
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
