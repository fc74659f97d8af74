import { expect, it } from 'vitest';
import { fixtureEntries } from '../../../../../test/support/engine/fixture-catalog.ts';
import { randomHomeCondition } from '../../../../../test/support/engine/random-home-rules.ts';
import { test, when, withRule } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { type CompiledProgram, compileProgram, isCompiled } from './compile-program.ts';
import { programAtYear } from './program-at-year.ts';

const compiled = (file: unknown, year: number): CompiledProgram | undefined => {
  const { ruleSet } = checkRuleSet(file);
  const program = ruleSet && compileProgram(ruleSet, 'ho3', year, homeVocabulary);
  return program && isCompiled(program) ? program : undefined;
};
const plain = ({ axes, rules, territory }: CompiledProgram) => ({
  axes: axes.map((known) => known && [known.axis.name, known.axis.samples]),
  rules: rules.map(({ terms }) => terms.map((term) => term.map(({ axis, cells }) => [axis, [...cells]]))),
  territory: [...territory],
});

it('a program moved to another year is the one compiled for it', () => {
  const random = createRandom(20261120);
  const files = [
    ...fixtureEntries().map(({ file }) => file),
    ...Array.from({ length: 300 }, () => withRule({ when: randomHomeCondition(random, 3) })),
  ];
  let moved = 0;
  let anew = 0;
  for (const file of files) {
    const before = compiled(file, 2026);
    if (!before) continue;
    for (const year of [2027, 2031, 1990]) {
      const after = compiled({ ...(file as object) }, year)!;
      const ours = programAtYear({ ...before, ruleSet: before.ruleSet }, year);
      if (!ours) anew++;
      else {
        expect(plain(ours)).toEqual(plain(after));
        expect(ours.effectiveYear).toBe(year);
        moved++;
      }
    }
  }
  expect(moved).toBeGreaterThan(anew);
});

it('ages move, years stay: where both cut one field the order may change', () => {
  const ages = compiled(when(test('roof_age', 'greaterThan', 15), test('home_age', 'lessThan', 40)), 2026)!;
  expect(programAtYear(ages, 2040)?.rules[0]?.terms).toBe(ages.rules[0]!.terms);
  const both = compiled(when(test('home_age', 'greaterThan', 30), test('year_built', 'lessThan', 2000)), 2026)!;
  expect(programAtYear(both, 2027)?.rules[0]?.terms).toBe(both.rules[0]!.terms);
  expect(programAtYear(both, 2031)).toBeUndefined();
});
