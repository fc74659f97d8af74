import type { Rule, RuleSet, Vocabulary } from '@leeward/engine';
import {
  type CellSet,
  type CompiledDemand,
  type CompiledProgram,
  compileProgram,
  covers,
  coversState,
  difference,
  intersection,
  isCompiled,
  isEmpty,
  isSame,
  PLACE,
  type Program,
  type Term,
} from '@leeward/engine/compiled';
import type { AskedAt } from '../finding/asked-at.ts';
import { namesOfPlaces, type PlaceName } from '../finding/place-names.ts';

export interface OwnedTerm {
  readonly term: Term;
  readonly kind: 'rule' | 'territory' | 'moratorium';
  /** Empty for the territory. */
  readonly id: string;
  readonly rule: Rule | undefined;
}

/** One of two versions, on the axes that both share. */
export interface Side {
  /** Places in states that offer the policy type. */
  readonly offered: CellSet;
  readonly declining: readonly OwnedTerm[];
  readonly referring: readonly OwnedTerm[];
  /** Demands of the offers. */
  readonly demands: readonly CompiledDemand[];
}

/** Two versions of a rule set for one policy type, on the same axes and cells. */
export interface JointProgram {
  readonly program: CompiledProgram;
  readonly older: Side;
  readonly newer: Side;
  /** Phrases for sets of places, those of the newer version first. */
  readonly placeNames: readonly PlaceName[];
}

export interface NotJoined {
  readonly reason: string;
}

/** Compiles two rule sets as one, so that both have the same cells. Undefined if neither offers the policy type. */
export function joinPrograms(
  older: RuleSet,
  newer: RuleSet,
  policyType: string,
  at: AskedAt,
  vocabulary: Vocabulary,
): JointProgram | NotJoined | undefined {
  // Copy the top rules of each file into its programs, so that they apply to that file only.
  const own = (ruleSet: RuleSet): Program[] =>
    ruleSet.programs.map((program) => ({ ...program, rules: [...ruleSet.rules, ...program.rules] }));
  const [olderPrograms, newerPrograms] = [own(older), own(newer)];
  const both: RuleSet = {
    ...newer,
    rules: [],
    programs: [...olderPrograms, ...newerPrograms],
    moratoria: [...older.moratoria, ...newer.moratoria],
  };
  const program = compileProgram(both, policyType, Number(at.effectiveDate.slice(0, 4)), vocabulary);
  if (!program) return undefined;
  if (!isCompiled(program)) return program;
  if (program.programs.some(({ tier }) => tier)) return { reason: 'its programs are tiers of a ladder' };
  const ofType = ({ policyTypes }: Program) => policyTypes.includes(policyType);
  return {
    program,
    older: sideOf(program, older, olderPrograms, at),
    newer: sideOf(program, newer, newerPrograms, at),
    placeNames: [
      ...namesOfPlaces(newerPrograms.filter(ofType), program.place, 'is written'),
      ...namesOfPlaces(olderPrograms.filter(ofType), program.place, 'was written before'),
    ],
  };
}

function sideOf(joint: CompiledProgram, ruleSet: RuleSet, all: readonly Program[], at: AskedAt): Side {
  const { place } = joint;
  const programs = all.filter((program) => program.policyTypes.includes(joint.policyType));
  const offered = place.cellsWhere(({ state }) => programs.some(({ places }) => coversState(places, state)));
  const written = place.cellsWhere((where) => programs.some(({ places }) => covers(places, where)));
  const declining: OwnedTerm[] = [];
  const add = (cells: CellSet, kind: 'territory' | 'moratorium', id: string) => {
    const inside = intersection(cells, offered);
    if (isEmpty(inside)) return;
    declining.push({ term: [{ axis: PLACE, cells: inside, leaves: [] }], kind, id, rule: undefined });
  };
  add(difference(offered, written), 'territory', '');
  for (const { moratorium, cells } of joint.moratoria) {
    const isOurs = ruleSet.moratoria.includes(moratorium);
    if (isOurs && moratorium.fromMs <= at.asOfMs && at.asOfMs < moratorium.untilMs)
      add(cells, 'moratorium', moratorium.id);
  }
  const termsOf = (outcome: Rule['outcome']): OwnedTerm[] =>
    joint.rules
      .filter(({ rule, program }) => rule.outcome === outcome && program !== undefined && programs.includes(program))
      .flatMap(({ rule, terms }) => terms.map((term) => ({ term, kind: 'rule' as const, id: rule.id, rule })));
  const ownRules = new Set(programs.flatMap((program) => program.rules));
  return {
    offered,
    declining: [...declining, ...termsOf('decline')],
    referring: termsOf('refer'),
    demands: joint.demands.filter(({ rule }) => ownRules.has(rule)),
  };
}

/** Undefined if no place is left. */
export function inPlaces(term: Term, places: CellSet, full: CellSet): Term | undefined {
  const own = term[0]?.axis === PLACE ? term[0] : undefined;
  const cells = own ? intersection(own.cells, places) : places;
  if (isEmpty(cells)) return undefined;
  const others = own ? term.slice(1) : term;
  return isSame(cells, full) ? others : [{ axis: PLACE, cells, leaves: [] }, ...others];
}
