import { describe, expect, it } from 'vitest';
import { statusesOfCompletions } from '../../../../../test/support/engine/every-completion.ts';
import { randomProperty, randomRuleSet } from '../../../../../test/support/engine/random-rule-sets.ts';
import { tinyLine } from '../../../../../test/support/engine/tiny-line.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import type { Findings } from '../verdict/findings.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { compileProgram, isCompiled } from './compile-program.ts';
import { findCompiled } from './find-compiled.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const wanted = testVolume(500);

/** The choices by which two completions differ, if they have different statuses and no other differences. */
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
  it(`match every completion (seed ${seed}, ${wanted} verdicts)`, () => {
    const random = createRandom(seed);
    const seen = { settled: 0, open: 0, exhausted: 0, completions: 0 };
    for (let verdict = 0; verdict < wanted; ) {
      const ruleSet = randomRuleSet(random);
      const program = compileProgram(ruleSet, 'hull', 2026, tinyLine);
      if (!program || !isCompiled(program)) continue;
      for (let each = 0; each < 5; each++, verdict++) {
        const { property, choices } = randomProperty(random);
        const statuses = statusesOfCompletions(ruleSet, property, choices);
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
