/**
 * Compiled ladders: a carrier whose programs are ranked tiers. Every tier is a program with the rules at the top and those of the tier. All
 * share the axes of the whole. The type differs from that of a program, so that code for programs cannot combine the rules of all tiers.
 */
import { hasTiers, type LadderPart, ladderParts } from '../rule-set/ladder.ts';
import { setOf } from './cell-set.ts';
import { type CompiledProgram, isCompiled, type NotCompiled } from './compile-program.ts';
import { covers } from './place-axis.ts';

/** A tier, or all programs without a tier, as a program. */
export interface CompiledTier extends LadderPart {
  readonly compiled: CompiledProgram;
}

/** The tiers of one carrier, for one policy type and effective year. */
export interface CompiledLadder extends NotCompiled {
  /** With the rules of all tiers. */
  readonly whole: CompiledProgram;
  /** Best first. */
  readonly tiers: readonly CompiledTier[];
}

/** True for a carrier with tiers. */
export function isLadder(program: CompiledProgram | NotCompiled): program is CompiledLadder {
  return 'tiers' in program;
}

/** Returns the ladder of a program with tiers, and everything else unchanged. */
export function withLadder<T extends CompiledProgram | NotCompiled | undefined>(whole: T): T | CompiledLadder {
  if (!whole || !isCompiled(whole) || !hasTiers(whole.programs)) return whole;
  return {
    reason: 'its programs are tiers of a ladder',
    whole,
    tiers: ladderParts(whole.programs).map((part) => ({ ...part, compiled: compiledPart(whole, part) })),
  };
}

function compiledPart(whole: CompiledProgram, { programs }: LadderPart): CompiledProgram {
  const { place } = whole;
  const rules = whole.rules.filter(({ program }) => program === undefined || programs.includes(program));
  const own = new Set(rules.map(({ rule }) => rule));
  return {
    ...whole,
    programs,
    rules,
    demands: whole.demands.filter(({ rule }) => own.has(rule)),
    territory: setOf(place.size, (cell) => !programs.some(({ places }) => covers(places, place.samples[cell]!))),
  };
}

/** Moves every program of a ladder to another year. Undefined if one must be compiled again. */
export function ladderAt(
  { whole, tiers, reason }: CompiledLadder,
  move: (program: CompiledProgram) => CompiledProgram | undefined,
): CompiledLadder | undefined {
  const moved = move(whole);
  if (!moved) return undefined;
  const { effectiveYear, axes } = moved;
  return {
    reason,
    whole: moved,
    tiers: tiers.map((each) => ({ ...each, compiled: { ...each.compiled, effectiveYear, axes } })),
  };
}
