import { type CompiledProgram, type CompiledRule, PLACE } from '../compiled/compile-program.ts';
import { createTestCell, smallEncoderOf } from '../compiled/encoder.ts';
import { withoutWholePlace, writtenPlaces } from '../compiled/needed-terms.ts';
import { createTableAxes, type TableAxes } from '../compiled/table-axes.ts';
import type { Term, TermPart } from '../compiled/term.ts';
import { widestTerms } from '../compiled/widest-terms.ts';
import { coversState } from '../rule-set/places.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import { layOutPlaces } from './row-places.ts';
import type { Decider, MoratoriumTerm, RuleAxis, RuleCarrier, RuleState, RuleTable } from './rule-table.ts';

/** In the order of their terms. */
const tableOutcomes = ['decline', 'refer', 'require', 'inform'] as const;

interface TableTerm {
  readonly term: Term;
  readonly decider: Decider;
  readonly outcome: (typeof tableOutcomes)[number];
  readonly isDeciding: boolean;
  readonly isOneOfSeveral: boolean;
}

interface AxisPart {
  readonly word: number;
  readonly bit: number;
  readonly program: CompiledProgram;
  readonly part: TermPart;
}

/** Builds the table of some carriers for one policy type, effective year and certainty. */
export function buildRuleTable(carriers: readonly RuleCarrier[]): RuleTable {
  const builder = createRuleTableBuilder(carriers);
  for (;;) {
    const table = builder.buildNext();
    if (table) return table;
  }
}

/** Builds a table in pieces of milliseconds: the terms of one carrier, or the rows of one axis. */
export interface RuleTableBuilder {
  /** Returns the table with the last piece. */
  buildNext(): RuleTable | undefined;
}

export function createRuleTableBuilder(carriers: readonly RuleCarrier[]): RuleTableBuilder {
  const programs = carriers.map((each) => each.program);
  const terms: TableTerm[][] = [];
  const laid: LaidOut[] = [];
  let axes: TableAxes | undefined;
  let bits: TermBits | undefined;
  return {
    buildNext() {
      if (terms.length < programs.length) {
        terms.push(tableTerms(programs[terms.length]!));
        return undefined;
      }
      axes ??= createTableAxes(programs);
      bits ??= assignBits(programs, terms, axes);
      const parts = bits.parts[laid.length];
      if (parts) {
        laid.push(layOut(parts, laid.length, axes, bits.words));
        return undefined;
      }
      return tableOf(carriers, axes, bits, laid);
    },
  };
}

/** The owner of each bit, and the parts of the terms by axis. */
interface TermBits
  extends Pick<
    RuleTable,
    | 'words'
    | 'firstWord'
    | 'firstOfferBits'
    | 'decline'
    | 'refer'
    | 'require'
    | 'inform'
    | 'deciding'
    | 'several'
    | 'deciders'
    | 'moratoria'
  > {
  readonly parts: readonly (readonly AxisPart[])[];
}

function assignBits(
  programs: readonly CompiledProgram[],
  termsOf: readonly (readonly TableTerm[])[],
  axes: TableAxes,
): TermBits {
  const firstWord = new Int32Array(programs.length + 1);
  termsOf.forEach((terms, index) => {
    firstWord[index + 1] = firstWord[index]! + ((terms.length + 31) >>> 5);
  });
  let offerBits = 32 * firstWord.at(-1)!;
  const bitsOfTerms = programs.map(({ demands }) => {
    const firstBits = new Map<readonly Term[], number>();
    for (const { terms } of demands) {
      // The demands of a rule share their terms.
      if (firstBits.has(terms)) continue;
      firstBits.set(terms, offerBits);
      offerBits += terms.length;
    }
    return firstBits;
  });
  const firstOfferBits = programs.map(({ demands }, index) =>
    demands.length === 0 ? undefined : Int32Array.from(demands, ({ terms }) => bitsOfTerms[index]!.get(terms)!),
  );
  const words = (offerBits + 31) >>> 5;
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
    for (const [terms, first] of bitsOfTerms[index]!) {
      terms.forEach((term, place) => {
        const word = (first + place) >>> 5;
        const bit = 1 << ((first + place) & 31);
        for (const part of term) parts[axes.numberOf(part.axis, program)]!.push({ word, bit, program, part });
      });
    }
  });
  return { words, firstWord, firstOfferBits, ...masks, deciding, several, deciders, moratoria, parts };
}

function tableOf(
  carriers: readonly RuleCarrier[],
  axes: TableAxes,
  { parts: _, ...bits }: TermBits,
  laid: readonly LaidOut[],
): RuleTable {
  const programs = carriers.map((each) => each.program);
  const { words, firstWord } = bits;
  const rows = new Int32Array(laid.reduce((sum, each) => sum + words + each.rows.length, 0));
  let end = 0;
  const placed: Omit<RuleAxis, 'field' | 'encoder' | 'testCell' | 'computed' | 'missingNames'>[] = [];
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
    computed: undefined,
    missingNames: ['county'],
    ...placed[0]!,
  };
  const ruleAxes = [
    place,
    ...axes.fields.map(
      ({ axis, field, test, computed, missingNames }, index): RuleAxis => ({
        field,
        encoder: computed ? undefined : test ? { kind: 'test', leaf: test } : smallEncoderOf(axis),
        testCell: test ? createTestCell(test, programs[0]!.vocabulary) : undefined,
        computed: computed ? { fact: computed, axis } : undefined,
        missingNames,
        ...placed[index + 1]!,
      }),
    ),
  ];
  return {
    policyType: programs[0]?.policyType ?? '',
    effectiveYear: programs[0]?.effectiveYear ?? 0,
    certainty: programs[0]?.ruleSet.certainty,
    carriers,
    ...bits,
    rows,
    axes: ruleAxes,
    places: layOutPlaces(ruleAxes),
    cellByCounty: new Map(
      axes.place.samples.flatMap(({ county }, cell): [string, number][] =>
        axes.place.namedCounties.has(county) ? [[county, cell]] : [],
      ),
    ),
    states: new Map(axes.states.map((state) => [state, ruleState(state, programs, axes, place)])),
  };
}

function mask(words: number): Int32Array {
  return new Int32Array(words);
}

/** In the order of their bits. */
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
    ...tableOutcomes.flatMap((outcome) =>
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

/** The distinct rows of one axis. */
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

/** For each carrier, a row in which all its terms that test the axis fail. */
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

/** Distinct rows, concatenated, and the row number of each cell. */
interface DistinctRows {
  readonly rows: Int32Array;
  readonly rowOfCell: Int32Array;
}

/**
 * Removes duplicate rows. Overwrites `all`.
 *
 * @param all one row of `words` words for each cell
 */
function distinctRows(all: Int32Array, cells: number, words: number): DistinctRows {
  const rowOfCell = new Int32Array(cells);
  const byHash = new Map<number, number[]>();
  let count = 0;
  for (let cell = 0; cell < cells; cell++) {
    const from = cell * words;
    let hash = 0;
    for (let word = 0; word < words; word++) hash = (Math.imul(hash, 31) + all[from + word]!) | 0;
    const candidates = byHash.get(hash) ?? [];
    let row = candidates.find((each) => isSame(all, each * words, from, words));
    if (row === undefined) {
      row = count++;
      // Kept rows move to the front, never over an unread row.
      all.copyWithin(row * words, from, from + words);
      candidates.push(row);
      byHash.set(hash, candidates);
    }
    rowOfCell[cell] = row;
  }
  return { rows: all.slice(0, count * words), rowOfCell };
}

function isSame(all: Int32Array, a: number, b: number, words: number): boolean {
  for (let word = 0; word < words; word++) if (all[a + word] !== all[b + word]) return false;
  return true;
}
