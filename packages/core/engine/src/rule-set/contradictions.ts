/**
 * Offers that contradict each other: no value of a term satisfies all of them.
 *
 * For each set of offers that can contradict, the engine adds a rule that refers the homes for which all of them hold. So every
 * evaluator, explanation and analysis handles contradictions like other referrals. Sets that cannot hold together disappear when the
 * rule set is compiled.
 */
import type { Tree } from '../condition/condition.ts';
import { boundsOf, type Demand, describeTerm } from './demand.ts';
import type { Rule, RuleSet } from './rule-set.ts';

export const CONTRADICTING_TERMS = 'contradicting_terms';

/** Maximum number of added rules of a rule set. */
export const MAX_CONTRADICTIONS = 1000;

interface Owned {
  readonly rule: Rule;
  readonly demand: Demand;
}

/** A set of demands on one term without a common value. */
type Contradiction = readonly Owned[];

export type WithContradictions = Pick<RuleSet, 'rules' | 'programs'> & {
  /** True if some contradictions were left out, because there are too many. */
  readonly isIncomplete: boolean;
};

/** Replaces rules that were added before. */
export function addContradictions({
  rules: topRules,
  programs,
}: Pick<RuleSet, 'rules' | 'programs'>): WithContradictions {
  const isWritten = (rule: Rule) => rule.contradicts === undefined;
  if (!topRules.some((rule) => rule.demands) && !programs.some(({ rules }) => rules.some((rule) => rule.demands)))
    return { rules: topRules, programs, isIncomplete: false };
  const budget = { left: MAX_CONTRADICTIONS };
  const top = topRules.filter(isWritten);
  const added = rulesFor(findContradictions(top, [], budget), top);
  return {
    rules: [...top, ...added],
    programs: programs.map((program) => {
      const own = program.rules.filter(isWritten);
      return { ...program, rules: [...own, ...rulesFor(findContradictions(own, top, budget), [...top, ...own])] };
    }),
    isIncomplete: budget.left < 0,
  };
}

/** Each contradiction has at least one of `some`. */
function findContradictions(some: readonly Rule[], others: readonly Rule[], budget: { left: number }): Contradiction[] {
  const own = new Set(some);
  const byTerm = new Map<string, Owned[]>();
  for (const rule of [...others, ...some]) {
    for (const demand of rule.demands ?? []) {
      const demands = byTerm.get(demand.term.name) ?? [];
      byTerm.set(demand.term.name, demands);
      demands.push({ rule, demand });
    }
  }
  const contradictions: Contradiction[] = [];
  const add = (contradiction: Contradiction) => {
    if (budget.left < 0 || !contradiction.some(({ rule }) => own.has(rule))) return;
    contradictions.push(contradiction);
    budget.left--;
  };
  for (const demands of byTerm.values()) {
    findNumbers(demands, add, budget);
    findWords(demands, add, budget);
  }
  return contradictions;
}

function findNumbers(demands: readonly Owned[], add: (each: Contradiction) => void, budget: { left: number }): void {
  const highest = demands.filter(({ demand }) => demand.bound.kind === 'max');
  if (highest.length === 0) return;
  const lowest = demands.filter(({ demand }) => demand.bound.kind === 'min').sort((a, b) => limitOf(a) - limitOf(b));
  for (const max of highest) {
    // The lowest minimum of a rule that exceeds the maximum applies whenever its higher ones do.
    const paired = new Set<Rule>();
    for (const min of lowest) {
      if (budget.left < 0) return;
      // The bounds of one rule are consistent, step by step.
      if (limitOf(min) <= limitOf(max) || min.rule === max.rule || paired.has(min.rule)) continue;
      paired.add(min.rule);
      add([min, max]);
    }
  }
}

function limitOf({ demand: { bound } }: Owned): number {
  return bound.kind === 'min' || bound.kind === 'max' ? bound.value : 0;
}

/** Finds minimal sets of lists without a common word. */
function findWords(demands: readonly Owned[], add: (each: Contradiction) => void, budget: { left: number }): void {
  const lists = demands.filter(({ demand }) => demand.bound.kind === 'words');
  const extend = (chosen: readonly Owned[], words: readonly string[] | undefined, from: number) => {
    for (let index = from; index < lists.length && budget.left >= 0; index++) {
      const next = lists[index]!;
      if (chosen.some(({ rule }) => rule === next.rule)) continue;
      const own = wordsOf(next);
      const common = words ? words.filter((word) => own.includes(word)) : own;
      if (words && common.length === words.length) continue;
      const all = [...chosen, next];
      if (common.length > 0) extend(all, common, index + 1);
      else if (isMinimal(all)) add(all);
    }
  };
  extend([], undefined, 0);
}

function isMinimal(all: readonly Owned[]): boolean {
  return all.every((left) => {
    const others = all.filter((each) => each !== left).map(wordsOf);
    return others[0]!.some((word) => others.every((words) => words.includes(word)));
  });
}

function wordsOf({ demand: { bound } }: Owned): readonly string[] {
  return bound.kind === 'words' ? bound.words : [];
}

/** One rule for each set of offers. */
function rulesFor(contradictions: readonly Contradiction[], order: readonly Rule[]): Rule[] {
  const byOffers = new Map<string, { offers: readonly Rule[]; contradictions: Contradiction[] }>();
  for (const contradiction of contradictions) {
    const offers = order.filter((rule) => contradiction.some((each) => each.rule === rule));
    const id = offers.map((rule) => rule.id).join(' + ');
    const group = byOffers.get(id) ?? { offers, contradictions: [] };
    byOffers.set(id, group);
    group.contradictions.push(contradiction);
  }
  return [...byOffers].map(([id, { offers, contradictions: some }]): Rule => {
    const all = some.map((each): Tree => ({ kind: 'all', of: each.map(({ demand }) => demand.condition) }));
    return {
      id,
      outcome: 'refer',
      code: CONTRADICTING_TERMS,
      message: describeContradiction(some),
      condition: all.length === 1 ? all[0]! : { kind: 'any', of: all },
      priority: Math.max(...offers.map((rule) => rule.priority)),
      path: offers.at(-1)!.path,
      contradicts: offers.map((rule) => rule.id),
    };
  });
}

function describeContradiction(contradictions: readonly Contradiction[]): string {
  const [first] = contradictions;
  const terms = first!.map(({ rule, demand }) => `"${rule.id}" (${describeTerm(demand.term, boundsOf(demand.bound))})`);
  const more = contradictions.length > 1 ? ' Other values of these rules contradict each other too.' : '';
  return `The terms of ${terms.join(' and ')} contradict each other; an underwriter must choose.${more}`;
}

/** Leaves out rules that the engine added. */
export function writtenRules(rules: readonly Rule[]): readonly Rule[] {
  return rules.some((rule) => rule.contradicts) ? rules.filter((rule) => !rule.contradicts) : rules;
}
