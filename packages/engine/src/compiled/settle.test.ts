import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../test/support/test-volume.ts';
import { factsOfProperty } from '../condition/facts.ts';
import { treeTruth } from '../condition/tree-truth.ts';
import type { Property } from '../request/property.ts';
import { coversCounty } from '../rule-set/places.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { createRandom } from '../testing/random.ts';
import { randomProperty, randomRuleSet } from '../testing/random-rule-sets.ts';
import { tinyLine } from '../testing/tiny-line.ts';
import type { Findings } from '../verdict/findings.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { compileProgram, isCompiled } from './compile-program.ts';
import { findCompiled } from './find-compiled.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const wanted = testVolume(500);

/** The status of a property of which everything is known. */
function statusOf(ruleSet: RuleSet, facts: ReadonlyMap<string, unknown>): SettledStatus {
  const county = facts.get('county') as string;
  const program = ruleSet.programs.find((each) => coversCounty(each.places, 'de', county));
  if (!program) return 'ineligible';
  const holding = [...ruleSet.rules, ...program.rules].filter((rule) => treeTruth(rule.condition, facts) === 'true');
  if (holding.some((rule) => rule.outcome === 'decline')) return 'ineligible';
  return holding.some((rule) => rule.outcome === 'refer') ? 'referral' : 'eligible';
}

/** Every completion with its status, in the order in which `choices` counts. */
function enumerate(
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

/** The choices along which two completions that differ there alone have different statuses. */
function essential(
  choices: Map<string, readonly (number | string)[]>,
  statuses: readonly SettledStatus[],
): Set<string> {
  const names = [...choices.keys()];
  const sizes = names.map((name) => choices.get(name)!.length);
  const found = new Set<string>();
  names.forEach((name, at) => {
    const stride = sizes.slice(at + 1).reduce((product, size) => product * size, 1);
    for (let index = 0; index < statuses.length; index++) {
      const digit = Math.floor(index / stride) % sizes[at]!;
      if (digit > 0 && statuses[index] !== statuses[index - stride]) {
        found.add(name);
        return;
      }
    }
  });
  return found;
}

describe('exact verdicts', () => {
  it(`are what every completion says (seed ${seed}, ${wanted} verdicts)`, () => {
    const random = createRandom(seed);
    const seen = { settled: 0, open: 0, exhausted: 0, completions: 0 };
    for (let verdict = 0; verdict < wanted; ) {
      const ruleSet = randomRuleSet(random);
      const program = compileProgram(ruleSet, 'hull', 2026, tinyLine);
      if (!program || !isCompiled(program)) continue;
      for (let each = 0; each < 5; each++, verdict++) {
        const { property, choices } = randomProperty(random);
        const statuses = enumerate(ruleSet, property, choices);
        seen.completions += statuses.length;
        const found = findCompiled(program, property) as Findings;
        const context = () =>
          JSON.stringify({
            rules: ruleSet.rules,
            programs: ruleSet.programs.map((p) => [p, [...p.places.counties]]),
            values: property.values,
            county: property.counties,
          });
        if (found.conservative) seen.exhausted++;
        else {
          const same = (a: Iterable<string>, b: Iterable<string>) => [...a].sort().join() === [...b].sort().join();
          if (!same(found.possible, new Set(statuses))) expect.fail(`possible: ${[...found.possible]} ${context()}`);
          if (!same(found.missing, essential(choices, statuses)))
            expect.fail(`missing: ${[...found.missing]} ${context()}`);
        }
        for (const status of statuses)
          if (!found.possible.has(status)) expect.fail(`${status} is possible: ${context()}`);
        if (found.possible.size === 1) seen.settled++;
        else seen.open++;
      }
    }
    expect(seen.exhausted).toBeLessThan(wanted / 100);
    expect(Math.min(seen.settled, seen.open)).toBeGreaterThan(wanted / 10);
  }, 600_000);
});
