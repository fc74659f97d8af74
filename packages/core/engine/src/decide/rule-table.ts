import { type CompiledProgram, type CompiledRule, PLACE } from '../compiled/compile-program.ts';
import { createTestCell, type Encoder, smallEncoderOf, type TestCell } from '../compiled/encoder.ts';
import { withoutWholePlace, writtenPlaces } from '../compiled/needed-terms.ts';
import { createTableAxes, type TableAxes } from '../compiled/table-axes.ts';
import type { Term, TermPart } from '../compiled/term.ts';
import { widestTerms } from '../compiled/widest-terms.ts';
import { coversState } from '../rule-set/places.ts';
import type { Moratorium, Program, Rule } from '../rule-set/rule-set.ts';
import type { RuleWords } from '../verdict/rule-words.ts';
import { distinctRows } from './distinct-rows.ts';
import { layOutPlaces, type RowPlaces } from './row-places.ts';

/** The owner of a term: a rule, a moratorium or, with neither, the territory. */
export interface Decider {
  readonly rule?: Rule;
  readonly moratorium?: Moratorium;
  /** Texts of the rule, cached on first use. */
  words?: RuleWords;
}

/** A carrier of a table. */
export interface RuleCarrier {
  /** Position in the catalog. */
  readonly carrier: number;
  readonly program: CompiledProgram;
}

/** One axis of a table. The place is axis 0, without field and encoder. */
export interface RuleAxis {
  /** Position in the vocabulary's fields; -1 for a test between two facts. */
  readonly field: number;
  readonly encoder: Encoder | undefined;
  readonly testCell: TestCell | undefined;
  /** Request names of the fields that the axis depends on. */
  readonly missingNames: readonly string[];
  /** First word of the row of each cell. Cells that no term distinguishes share a row. */
  readonly rowOfCell: Int32Array;
  /** First word of each distinct row. */
  readonly cellRows: Int32Array;
  /** First word of the row of terms that do not test this axis. */
  readonly untestedRow: number;
  /** For each carrier, a row at which every term that tests this axis fails; -1 if none. */
  readonly safeRow: Int32Array;
}

/** The term of a moratorium, with the time it is in force. */
export interface MoratoriumTerm {
  readonly word: number;
  readonly bit: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A state in which some carrier of the table offers the policy type. */
export interface RuleState {
  /** Numbers of these carriers. */
  readonly carriers: Int32Array;
  /** For each carrier, its first program in the state; the reason for a territory names it. */
  readonly programs: readonly (Program | undefined)[];
  /** Rows of the counties of the state. */
  readonly rows: Int32Array;
  /** Cell of counties that no rule names; -1 if none. */
  readonly otherCell: number;
}

/**
 * Rule tables: the rules of all carriers for one policy type, for decisions on single homes.
 *
 * Every term of every rule has a bit. Every cell of every axis has a row of bits: the terms that the cell satisfies. ANDing the rows of a property's cells leaves the terms that hold.
 *
 * The terms of one carrier are adjacent, in separate words: declines (territory first, then moratoria), referrals, requirements, notes. A term omits its place part if that covers the whole territory of its carrier, because elsewhere the territory declines.
 */
export interface RuleTable {
  readonly policyType: string;
  readonly effectiveYear: number;
  readonly carriers: readonly RuleCarrier[];
  /** Number of words in a row. */
  readonly words: number;
  /** Words of carrier c: from `firstWord[c]` to `firstWord[c + 1]`. */
  readonly firstWord: Int32Array;
  readonly rows: Int32Array;
  readonly axes: readonly RuleAxis[];
  readonly places: RowPlaces;
  readonly cellByCounty: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, RuleState>;
  readonly decline: Int32Array;
  readonly refer: Int32Array;
  readonly require: Int32Array;
  readonly inform: Int32Array;
  /** Terms that decide the status: those not contained in another term with an equal or worse outcome. */
  readonly deciding: Int32Array;
  /** Terms of rules with several terms. */
  readonly several: Int32Array;
  /** By bit, the owner of the term; undefined for padding. */
  readonly deciders: readonly (Decider | undefined)[];
  readonly moratoria: readonly MoratoriumTerm[];
}

interface TableTerm {
  readonly term: Term;
  readonly decider: Decider;
  readonly outcome: Rule['outcome'];
  readonly isDeciding: boolean;
  readonly isOneOfSeveral: boolean;
}

/** A part of a term on one axis, with the bit of the term. */
interface AxisPart {
  readonly word: number;
  readonly bit: number;
  readonly program: CompiledProgram;
  readonly part: TermPart;
}

/** Lays out the rules of some carriers for one policy type and effective year. */
export function buildRuleTable(carriers: readonly RuleCarrier[]): RuleTable {
  const programs = carriers.map((each) => each.program);
  const axes = createTableAxes(programs);
  const termsOf: TableTerm[][] = [];
  for (const program of programs) termsOf.push(tableTerms(program));
  const firstWord = new Int32Array(programs.length + 1);
  termsOf.forEach((terms, index) => {
    firstWord[index + 1] = firstWord[index]! + ((terms.length + 31) >>> 5);
  });
  const words = firstWord.at(-1)!;
  const masks = { decline: mask(words), refer: mask(words), require: mask(words), inform: mask(words) };
  const deciding = mask(words);
  const several = mask(words);
  const deciders: (Decider | undefined)[] = new Array(32 * words).fill(undefined);
  const moratoria: MoratoriumTerm[] = [];
  const parts = Array.from({ length: axes.fields.length + 1 }, (): AxisPart[] => []);
  programs.forEach((program, index) => {
    termsOf[index]!.forEach((each, place) => {
      const word = firstWord[index]! + (place >>> 5);
      const bit = 1 << (place & 31);
      masks[each.outcome][word]! |= bit;
      if (each.isDeciding) deciding[word]! |= bit;
      if (each.isOneOfSeveral) several[word]! |= bit;
      deciders[32 * firstWord[index]! + place] = each.decider;
      const { moratorium } = each.decider;
      if (moratorium) moratoria.push({ word, bit, fromMs: moratorium.fromMs, untilMs: moratorium.untilMs });
      for (const part of each.term) parts[axes.numberOf(part.axis, program)]!.push({ word, bit, program, part });
    });
  });
  const laid: LaidOut[] = [];
  for (const [number, own] of parts.entries()) laid.push(layOut(own, number, axes, words));
  const rows = new Int32Array(laid.reduce((sum, each) => sum + words + each.rows.length, 0));
  let end = 0;
  const placed: Omit<RuleAxis, 'field' | 'encoder' | 'testCell' | 'missingNames'>[] = [];
  for (const each of laid) {
    const untestedRow = end;
    const first = end + words;
    rows.set(each.untested, untestedRow);
    rows.set(each.rows, first);
    end = first + each.rows.length;
    const cellRows = Int32Array.from(
      { length: words === 0 ? 0 : each.rows.length / words },
      (_, row) => first + row * words,
    );
    placed.push({
      untestedRow,
      cellRows,
      rowOfCell: each.rowOfCell.map((row) => first + row * words),
      safeRow: safeRows(firstWord, rows, untestedRow, cellRows),
    });
  }
  const place: RuleAxis = {
    field: -1,
    encoder: undefined,
    testCell: undefined,
    missingNames: ['county'],
    ...placed[0]!,
  };
  const ruleAxes = [
    place,
    ...axes.fields.map(
      ({ axis, field, test, missingNames }, index): RuleAxis => ({
        field,
        encoder: test ? { kind: 'test', leaf: test } : smallEncoderOf(axis),
        testCell: test ? createTestCell(test, programs[0]!.vocabulary) : undefined,
        missingNames,
        ...placed[index + 1]!,
      }),
    ),
  ];
  return {
    policyType: programs[0]?.policyType ?? '',
    effectiveYear: programs[0]?.effectiveYear ?? 0,
    carriers,
    words,
    firstWord,
    rows,
    axes: ruleAxes,
    places: layOutPlaces(ruleAxes),
    cellByCounty: new Map(
      axes.place.samples.flatMap(({ county }, cell): [string, number][] =>
        axes.place.namedCounties.has(county) ? [[county, cell]] : [],
      ),
    ),
    states: new Map(axes.states.map((state) => [state, ruleState(state, programs, axes, place)])),
    ...masks,
    deciding,
    several,
    deciders,
    moratoria,
  };
}

function mask(words: number): Int32Array {
  return new Int32Array(words);
}

/** Returns all terms of a program, in the order of their bits. */
function tableTerms(program: CompiledProgram): TableTerm[] {
  const written = writtenPlaces(program);
  const termsOf = new Map<CompiledRule, readonly Term[]>(
    program.rules.map((each) => [each, each.terms.map((term) => withoutWholePlace(term, written))]),
  );
  const ofOutcome = (outcome: Rule['outcome']) => program.rules.filter(({ rule }) => rule.outcome === outcome);
  const all = (outcome: Rule['outcome']) => ofOutcome(outcome).flatMap((each) => termsOf.get(each)!);
  const declining = widestTerms(all('decline'));
  const deciding = new Set<Term>([...declining, ...widestTerms(all('refer'), declining)]);
  const ofPlace = (cells: TermPart['cells'], decider: Decider): TableTerm => ({
    term: [{ axis: PLACE, cells, leaves: [] }],
    decider,
    outcome: 'decline',
    isDeciding: true,
    isOneOfSeveral: false,
  });
  return [
    ofPlace(program.territory, {}),
    ...program.moratoria.map(({ moratorium, cells }) => ofPlace(cells, { moratorium })),
    ...(['decline', 'refer', 'require', 'inform'] as const).flatMap((outcome) =>
      ofOutcome(outcome).flatMap((compiled) => {
        const own = termsOf.get(compiled)!;
        const decider = { rule: compiled.rule };
        const isOneOfSeveral = own.length > 1;
        return own.map((term): TableTerm => {
          return { term, decider, outcome, isDeciding: deciding.has(term), isOneOfSeveral };
        });
      }),
    ),
  ];
}

interface LaidOut {
  readonly rows: Int32Array;
  readonly rowOfCell: Int32Array;
  readonly untested: Int32Array;
}

/** The rows of one axis, each different one once. */
function layOut(parts: readonly AxisPart[], number: number, axes: TableAxes, words: number): LaidOut {
  const untested = mask(words).fill(-1);
  for (const { word, bit } of parts) untested[word]! &= ~bit;
  const size = number === 0 ? axes.place.size : axes.fields[number - 1]!.axis.size;
  const all = new Int32Array(size * words).fill(-1);
  for (const { word, bit, program, part } of parts) {
    const own = axes.ownCells(part.axis, program);
    for (let cell = 0; cell < size; cell++) {
      const at = own ? own[cell]! : cell;
      if (at < 0 || ((part.cells[at >>> 5]! >>> (at & 31)) & 1) === 0) all[cell * words + word]! &= ~bit;
    }
  }
  const { rows, rowOfCell } = distinctRows(all, size, words);
  return { rows, rowOfCell, untested };
}

/** For each carrier a row in which all its terms fail that test the axis. */
function safeRows(firstWord: Int32Array, rows: Int32Array, untestedRow: number, cellRows: Int32Array): Int32Array {
  const safe = new Int32Array(firstWord.length - 1).fill(-1);
  for (let carrier = 0; carrier < safe.length; carrier++) {
    const from = firstWord[carrier]!;
    const to = firstWord[carrier + 1]!;
    for (let index = 0; index < cellRows.length && safe[carrier]! < 0; index++) {
      const row = cellRows[index]!;
      let word = from;
      while (word < to && (rows[row + word]! & ~rows[untestedRow + word]!) === 0) word++;
      if (word === to) safe[carrier] = row;
    }
  }
  return safe;
}

function ruleState(
  state: string,
  programs: readonly CompiledProgram[],
  { place }: TableAxes,
  { rowOfCell }: RuleAxis,
): RuleState {
  const first = programs.map((program) => program.programs.find((each) => coversState(each.places, state)));
  const rows = new Set<number>();
  const here = place.cellsOfState(state);
  for (let cell = 0; cell < place.size; cell++)
    if (((here[cell >>> 5]! >>> (cell & 31)) & 1) === 1) rows.add(rowOfCell[cell]!);
  return {
    carriers: Int32Array.from([...first.keys()].filter((index) => first[index])),
    programs: first,
    rows: Int32Array.from(rows),
    otherCell: place.cellOf(state, ''),
  };
}
