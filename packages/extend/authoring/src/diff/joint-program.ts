import type { Rule, RuleSet, Vocabulary } from '@leeward/engine';
import {
  type CellSet,
  type CompiledDemand,
  type CompiledProgram,
  compileProgram,
  covers,
  coversState,
  difference,
  hasTiers,
  intersection,
  isCompiled,
  isEmpty,
  isSame,
  ladderParts,
  PLACE,
  type Program,
  placeTerm,
  productOf,
  type Term,
} from '@leeward/engine/compiled';
import type { AskedAt } from '../finding/asked-at.ts';
import { wholeBox } from '../finding/boxes.ts';
import { namesOfPlaces, type PlaceName } from '../finding/place-names.ts';

export interface OwnedTerm {
  readonly term: Term;
  readonly kind: 'rule' | 'territory' | 'moratorium';
  /** Empty for the territory. */
  readonly id: string;
  readonly rule: Rule | undefined;
}

/** A tier of a version. */
export interface TierSide {
  readonly tier: Program | undefined;
  readonly programs: readonly Program[];
  /** The places outside the tier. */
  readonly outside: readonly OwnedTerm[];
  readonly declining: readonly OwnedTerm[];
  readonly referring: readonly OwnedTerm[];
}

/** One of two versions, on the axes that both share. */
export interface Side {
  /** Places in states that offer the policy type. */
  readonly offered: CellSet;
  /** Best first. */
  readonly tiers: readonly TierSide[];
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
  const ofType = ({ policyTypes }: Program) => policyTypes.includes(policyType);
  const [olderSide, newerSide] = [sideOf(program, older, olderPrograms, at), sideOf(program, newer, newerPrograms, at)];
  if (!olderSide || !newerSide) return { reason: 'its tiers have too many combinations of rules' };
  return {
    program,
    older: olderSide,
    newer: newerSide,
    placeNames: [
      ...namesOfPlaces(newerPrograms.filter(ofType), program.place, 'is written'),
      ...namesOfPlaces(olderPrograms.filter(ofType), program.place, 'was written before'),
    ],
  };
}

/** Undefined if the rules of tiers have too many combinations. */
function sideOf(joint: CompiledProgram, ruleSet: RuleSet, all: readonly Program[], at: AskedAt): Side | undefined {
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
  const termsOf = (outcome: Rule['outcome'], own: readonly Program[]): OwnedTerm[] =>
    joint.rules
      .filter(({ rule, program }) => rule.outcome === outcome && program !== undefined && own.includes(program))
      .flatMap(({ rule, terms }) => terms.map((term) => ({ term, kind: 'rule' as const, id: rule.id, rule })));
  const parts = hasTiers(programs)
    ? ladderParts(programs).map((part): TierSide => {
        const outside = place.cellsWhere((where) => !part.programs.some(({ places }) => covers(places, where)));
        return {
          ...part,
          outside: isEmpty(outside) ? [] : [{ term: placeTerm(outside), kind: 'territory', id: '', rule: undefined }],
          declining: termsOf('decline', part.programs),
          referring: termsOf('refer', part.programs),
        };
      })
    : [];
  const own =
    parts.length === 0
      ? { declining: termsOf('decline', programs), referring: termsOf('refer', programs) }
      : combineTiers(joint, parts);
  if (!own) return undefined;
  const ownRules = new Set(programs.flatMap((program) => program.rules));
  return {
    offered,
    tiers: parts.filter(({ tier }) => tier),
    declining: [...declining, ...own.declining],
    referring: own.referring,
    demands: joint.demands.filter(({ rule }) => ownRules.has(rule)),
  };
}

/** A carrier declines if all of its tiers do, each by a rule or outside its places. Undefined if there are too many combinations. */
function combineTiers(
  joint: CompiledProgram,
  parts: readonly TierSide[],
): Pick<Side, 'declining' | 'referring'> | undefined {
  const whole = wholeBox(joint);
  const combine = (termsOf: (part: TierSide) => readonly OwnedTerm[]): OwnedTerm[] | undefined => {
    const owners = new Map<Term, readonly Rule[]>([[[], []]]);
    const factors = parts.map((part) => {
      const owned = [...part.outside, ...termsOf(part)];
      for (const { term, rule } of owned) owners.set(term, rule ? [rule] : []);
      return owned.map(({ term }) => term);
    });
    const terms = productOf(factors, whole, (both, one, other) => {
      owners.set(both, [...new Set([...(owners.get(one) ?? []), ...(owners.get(other) ?? [])])]);
    });
    return terms?.flatMap((term): OwnedTerm[] => {
      const rules = owners.get(term)!;
      // Outside all tiers is the territory.
      if (rules.length === 0) return [];
      return [{ term, kind: 'rule', id: rules.map(({ id }) => id).join('" and "'), rule: rules.at(-1) }];
    });
  };
  const declining = combine((part) => part.declining);
  const referring = declining && combine((part) => [...part.declining, ...part.referring]);
  return referring && { declining, referring };
}

/** Undefined if no place is left. */
export function inPlaces(term: Term, places: CellSet, full: CellSet): Term | undefined {
  const own = term[0]?.axis === PLACE ? term[0] : undefined;
  const cells = own ? intersection(own.cells, places) : places;
  if (isEmpty(cells)) return undefined;
  const others = own ? term.slice(1) : term;
  return isSame(cells, full) ? others : [{ axis: PLACE, cells, leaves: [] }, ...others];
}
