/**
 * Changes of terms between two versions.
 *
 * Each demand of one version is a set of boxes. A home of such a box has other terms in the other version if no demand there is at least
 * as strict, so the boxes of those demands are subtracted; both versions then confirm a home of the rest.
 */
import type { Demand, Property, Rule, RuleSet, Vocabulary } from '@leeward/engine';
import {
  boundsOf,
  type CompiledDemand,
  compiledProgram,
  describeTerm,
  findCompiled,
  findLadder,
  isCompiled,
  isLadder,
  type Term,
} from '@leeward/engine/compiled';
import type { AskedAt } from '../finding/asked-at.ts';
import { type Allowance, covered, meet, wholeBox } from '../finding/boxes.ts';
import { findExample } from '../finding/example-home.ts';
import { wordsOfTerm } from '../finding/words-of-term.ts';
import type { Edit } from './compare-files.ts';
import type { JointProgram } from './joint-program.ts';

/** Maximum number of reported changes of one rule. */
const MAX_CHANGES_OF_RULE = 3;

/** Finds homes that both versions accept under different terms. */
export function changedTerms(
  { program, older, newer, placeNames }: JointProgram,
  files: { readonly older: RuleSet; readonly newer: RuleSet },
  at: AskedAt,
  vocabulary: Vocabulary,
  allowance: Allowance,
): Edit[] {
  const edits: Edit[] = [];
  const termsOf = (ruleSet: RuleSet) => createTermsOf(ruleSet, vocabulary);
  const [before, after] = [termsOf(files.older), termsOf(files.newer)];
  const changesByRule = new Map<Rule, number>();
  const compare = (own: readonly CompiledDemand[], others: readonly CompiledDemand[], side: 'older' | 'newer') => {
    for (const { rule, demand, terms } of own) {
      const alike: readonly Term[] = others
        .filter((other) => isAtLeastAsStrict(other.demand, demand))
        .flatMap((other) => other.terms);
      for (const term of terms) {
        const changes = changesByRule.get(rule) ?? 0;
        if (changes >= MAX_CHANGES_OF_RULE) break;
        const remaining = covered(meet(wholeBox(program), term)!, alike, allowance);
        if (typeof remaining !== 'object') continue;
        const name = demand.term.name;
        let texts: { older: string; newer: string } | undefined;
        const example = findExample(program, remaining.open, at, (property) => {
          const [a, b] = [before(property), after(property)];
          if (!a || !b || a.get(name) === b.get(name)) return false;
          texts = { older: a.get(name) ?? 'no such term', newer: b.get(name) ?? 'no such term' };
          return true;
        });
        if (!example || !texts) continue;
        changesByRule.set(rule, changes + 1);
        edits.push({
          code: 'terms_changed',
          side,
          path: rule.path,
          ruleId: rule.id,
          severity: 'note',
          message: `Other terms by "${rule.id}": ${wordsOfTerm(term, program, placeNames)}. ${texts.older} becomes ${texts.newer}.`,
          example: example.home,
        });
        break;
      }
    }
  };
  compare(newer.demands, older.demands, 'newer');
  compare(older.demands, newer.demands, 'older');
  return edits;
}

/** Returns the terms that a rule set sets for a complete home, as text by name. Undefined for a home that it does not accept. */
function createTermsOf(
  ruleSet: RuleSet,
  vocabulary: Vocabulary,
): (property: Property) => ReadonlyMap<string, string> | undefined {
  return (property) => {
    const program = compiledProgram(ruleSet, property.policyType!, property.effectiveYear, vocabulary);
    if (!program || !(isCompiled(program) || isLadder(program))) return undefined;
    const findings = isLadder(program) ? findLadder(program, property) : findCompiled(program, property);
    if (!findings || findings.possible.has('ineligible') || findings.possible.size !== 1) return undefined;
    return new Map(findings.offers.certain.map(({ term, bounds }) => [term.name, describeTerm(term, bounds)]));
  };
}

/** True if a demand implies another of the same term. */
function isAtLeastAsStrict(strict: Demand, demand: Demand): boolean {
  if (strict.term.name !== demand.term.name) return false;
  const [a, b] = [boundsOf(strict.bound), boundsOf(demand.bound)];
  if (b.min !== undefined) return a.min !== undefined && a.min >= b.min;
  if (b.max !== undefined) return a.max !== undefined && a.max <= b.max;
  if (b.oneOf !== undefined) return a.oneOf?.every((word) => b.oneOf!.includes(word)) ?? false;
  return a.applies === true;
}
