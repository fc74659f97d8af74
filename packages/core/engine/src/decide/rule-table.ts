import type { Axis } from '../compiled/axis.ts';
import type { CompiledProgram } from '../compiled/compile-program.ts';
import type { Encoder, TestCell } from '../compiled/encoder.ts';
import type { Computed } from '../condition/condition.ts';
import type { Moratorium, Program, Rule } from '../rule-set/rule-set.ts';
import type { RuleWords } from '../verdict/rule-words.ts';
import type { RowPlaces } from './row-places.ts';

/** The owner of a term: a rule, a moratorium or, with neither, the territory. */
export interface Decider {
  readonly rule?: Rule;
  readonly moratorium?: Moratorium;
  words?: RuleWords;
}

export interface RuleCarrier {
  /** Position in the catalog. */
  readonly carrier: number;
  readonly program: CompiledProgram;
}

/** One axis of a table. The place is axis 0, without field and encoder. */
export interface RuleAxis {
  /** Position in the vocabulary's fields; -1 for a computed fact or a test between two facts. */
  readonly field: number;
  readonly encoder: Encoder | undefined;
  readonly testCell: TestCell | undefined;
  /** The fact, if it is computed, with its axis. */
  readonly computed: { readonly fact: Computed; readonly axis: Axis } | undefined;
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
  readonly carriers: Int32Array;
  /** For each carrier, its first program in the state; the reason for a territory names it. */
  readonly programs: readonly (Program | undefined)[];
  readonly rows: Int32Array;
  /** Cell of counties that no rule names; -1 if none. */
  readonly otherCell: number;
}

/**
 * Rule tables: the rules of all carriers for one policy type, for decisions on single homes.
 *
 * Every term of every rule has a bit. Every cell of every axis has a row of bits: the terms that the cell satisfies. ANDing the rows of
 * a property's cells leaves the terms that hold.
 *
 * The terms of one carrier are adjacent, in separate words: declines (territory first, then moratoria), referrals, requirements, notes.
 * A term omits its place part if that covers the whole territory of its carrier, because elsewhere the territory declines.
 *
 * The demands of offers follow the terms of all carriers, and keep their places.
 */
export interface RuleTable {
  readonly policyType: string;
  readonly effectiveYear: number;
  /** That of all its rule sets. */
  readonly certainty: number | undefined;
  readonly carriers: readonly RuleCarrier[];
  readonly words: number;
  /** Words of carrier c: from `firstWord[c]` to `firstWord[c + 1]`. */
  readonly firstWord: Int32Array;
  /** For each carrier with offers, the first bit of each of its demands: one bit per term. Bit b is in word `b >> 5`. */
  readonly firstOfferBits: readonly (Int32Array | undefined)[];
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
  readonly several: Int32Array;
  /** By bit, the owner of the term; undefined for padding. */
  readonly deciders: readonly (Decider | undefined)[];
  readonly moratoria: readonly MoratoriumTerm[];
}
