import { describe, expect, it } from 'vitest';
import { randomTree } from '../../../../../test/support/engine/random-trees.ts';
import { tinyLine, tinyValues } from '../../../../../test/support/engine/tiny-line.ts';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { factsOfProperty } from '../condition/facts.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import type { Property } from '../request/property.ts';
import type { Rule, RuleSet } from '../rule-set/rule-set.ts';
import { compileProgram, isCompiled } from './compile-program.ts';
import { encode } from './encode.ts';
import { kleeneTruthOfTerms } from './rule-truth.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const wanted = testVolume(500);
const reference = createReferenceEvaluator();
const odd: readonly unknown[] = ['2', '', 'nothing', null, Number.NaN, [1, 2], [], 2.5, -1, 99, true];

function ruleSetOf(rules: readonly Rule[]): RuleSet {
  return {
    carrierKey: 'test',
    carrierName: 'Test',
    line: 'boat',
    version: '1',
    effectiveFrom: '2026-01-01',
    effectiveUntil: undefined,
    rules,
    programs: [{ id: 'all', policyTypes: ['hull'], places: { states: ['tx'], counties: new Map() }, rules: [] }],
    moratoria: [],
    allowed: [],
    sha256: '',
    file: {},
  };
}

/** Also invalid values, as a host might pass them. */
function anyProperty(random: () => number): Property {
  const values = tinyLine.fields.map((field) => {
    const roll = random();
    if (roll < 0.3) return undefined;
    return (roll < 0.42 ? pick(random, odd) : pick(random, tinyValues[field.name]!)) as number;
  });
  return {
    vocabulary: tinyLine,
    policyType: 'hull',
    state: 'tx',
    counties: ['48201'],
    values,
    asOfMs: 0,
    effectiveDate: '2026-11-20',
    effectiveYear: 2026,
  };
}

describe('compiled rules', () => {
  it(`answer as json-rules-engine does, test by test (seed ${seed}, ${wanted} answers)`, async () => {
    const random = createRandom(seed);
    let answers = 0;
    const decided = { true: 0, false: 0, undecided: 0 };
    while (answers < wanted) {
      const rule: Rule = {
        id: 'rule',
        outcome: 'decline',
        code: 'x_other',
        message: '',
        condition: randomTree(random, { depth: 3, wild: true }),
        priority: 1,
        path: '',
      };
      const program = compileProgram(ruleSetOf([rule]), 'hull', 2026, tinyLine, { normalize: false });
      if (!program || !isCompiled(program)) continue;
      for (let each = 0; each < 5; each++) {
        const property = anyProperty(random);
        // Some tests throw on some values (text in a number); json-rules-engine then ends the whole run.
        const theirs = await reference
          .evaluate([rule], factsOfProperty(property, 'hull', '48201'))
          .catch(() => undefined);
        if (theirs === undefined) continue;
        const ours = kleeneTruthOfTerms(program.rules[0]!.terms, encode(program, property));
        answers++;
        decided[ours]++;
        if (ours !== theirs[0]) {
          const values = Object.fromEntries(
            tinyLine.fields.map((field, index) => [field.name, property.values[index]]),
          );
          expect.fail(`${ours}, not ${theirs[0]}: ${JSON.stringify(rule.condition)} of ${JSON.stringify(values)}`);
        }
      }
    }
    expect(Math.min(...Object.values(decided))).toBeGreaterThan(wanted / 20);
  }, 600_000);
});
