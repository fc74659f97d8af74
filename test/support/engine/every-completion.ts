import type { Property, RuleSet, SettledStatus } from '@leeward/engine';
import { coversCounty, factsOfProperty, treeTruth } from '@leeward/engine/compiled';

/** Status of a property with all facts known and all moratoria in force. */
function statusOf(ruleSet: RuleSet, facts: ReadonlyMap<string, unknown>): SettledStatus {
  const county = facts.get('county') as string;
  const program = ruleSet.programs.find((each) => coversCounty(each.places, 'de', county));
  if (!program || ruleSet.moratoria.some(({ places }) => coversCounty(places, 'de', county))) return 'ineligible';
  const holding = [...ruleSet.rules, ...program.rules].filter((rule) => treeTruth(rule.condition, facts) === 'true');
  if (holding.some((rule) => rule.outcome === 'decline')) return 'ineligible';
  return holding.some((rule) => rule.outcome === 'refer') ? 'referral' : 'eligible';
}

/** Every completion with its status, in the order in which `choices` counts. */
export function statusesOfCompletions(
  ruleSet: RuleSet,
  property: Property,
  choices: Map<string, readonly (number | string)[]>,
): SettledStatus[] {
  const names = [...choices.keys()];
  const results: SettledStatus[] = [];
  const base = factsOfProperty(property, 'hull', property.counties?.[0]);
  const walk = (at: number): void => {
    const name = names[at];
    if (name === undefined) {
      const launched = base.get('launched') as number;
      results.push(statusOf(ruleSet, new Map(base).set('boat_age', Math.max(0, 2026 - launched))));
      return;
    }
    for (const value of choices.get(name)!) {
      base.set(name, value);
      walk(at + 1);
    }
  };
  walk(0);
  return results;
}
