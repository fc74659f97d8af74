import { createCatalog, createProperty, homeVocabulary } from '@leeward/engine';
import { layoutOf, readComputed, sourceOfProperty } from '@leeward/engine/compiled';
import { expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom, wholeNumber } from '../../../../../test/support/random.ts';
import type { ArithmeticProgram } from './arithmetic-program.ts';
import { buildTables } from './build-tables.ts';

type Range = readonly [min: number, max: number];

/** As another reader computes it: interval arithmetic from the first operand to the last. */
function run(program: ArithmeticProgram, rangeOf: (field: string) => Range, effectiveYear: number): Range {
  if (typeof program === 'number') return [program, program];
  if (typeof program === 'string') return rangeOf(program);
  if ('age_of' in program) {
    const [min, max] = rangeOf(program.age_of);
    return [Math.max(0, effectiveYear - max), Math.max(0, effectiveYear - min)];
  }
  const [first, ...others] = program.of.map((each) => run(each, rangeOf, effectiveYear));
  return others.reduce((a, b) => combine(program.apply, a, b), first!);
}

function combine(apply: string, a: Range, b: Range): Range {
  const products = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]];
  if (apply === 'add') return [a[0] + b[0], a[1] + b[1]];
  if (apply === 'subtract') return [a[0] - b[1], a[1] - b[0]];
  if (apply === 'min') return [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
  if (apply === 'max') return [Math.max(a[0], b[0]), Math.max(a[1], b[1])];
  const divisor = apply === 'percent_of' ? 100 : 1;
  return [Math.min(...products) / divisor, Math.max(...products) / divisor];
}

const fact = (name: string) => ({ fact: name });
const tests = [
  { ...test('coverage_c', 'greaterThan', 0), value: { percent_of: [60, fact('dwelling_a')] } },
  { multiply: [fact('square_feet'), { max: [150, fact('roof_age')] }], operator: 'lessThan', value: 100_000 },
  { subtract: [{ subtract: [fact('home_age'), fact('roof_age')] }, 2], operator: 'lessThan', value: 10 },
  { add: [fact('dwelling_a'), { min: [fact('coverage_c'), 50_000] }], operator: 'lessThan', value: 300_000 },
  { count: 'losses', operator: 'greaterThan', value: 2 },
  { add: [fact('total_claims'), 1], operator: 'greaterThan', value: 2 },
];
const rules = tests.map((each, index) => ruleFile({ id: `r${index}`, message: '.', when: { all: [each] } }));
const { inputs } = buildTables(createCatalog([{ file: ruleSetFile({ rules }) }]), {
  from: '2026-11-20',
  to: '2026-11-20',
});

it('computes what the engine computes, for known and unknown fields', () => {
  const random = createRandom(9);
  const { positions } = layoutOf(homeVocabulary);
  let compared = 0;
  for (let round = 0; round < 200; round++) {
    const values = {
      dwelling_a: 1000 * wholeNumber(random, 100, 900),
      coverage_c: 1000 * wholeNumber(random, 10, 400),
      square_feet: wholeNumber(random, 800, 4000),
      roof_year: wholeNumber(random, 1990, 2026),
      year_built: wholeNumber(random, 1950, 1990),
    };
    const home = createProperty({
      vocabulary: homeVocabulary,
      policyType: 'ho3',
      state: 'tx',
      values: Object.fromEntries(Object.entries(values).filter(() => random() < 0.7)),
      asOfMs: 0,
      effectiveDate: '2026-11-20',
    });
    const rangeOf = (name: string): Range => {
      const field = positions.get(name)!;
      const value = home.values[field];
      if (typeof value === 'number') return [value, value];
      if (typeof value === 'object' && value.kind === 'between') return [value.min, value.max];
      const domain = homeVocabulary.fields[field]!.domain({ effectiveYear: 2026 });
      return domain.kind === 'numbers' ? [domain.min, domain.max] : [Number.NaN, Number.NaN];
    };
    for (const { source } of inputs) {
      if (source.kind !== 'computed' || source.program === undefined) continue;
      const { min, max } = readComputed(source.computed, sourceOfProperty(home));
      const [low, high] = run(source.program, rangeOf, 2026);
      expect([low + 0, high + 0]).toEqual([min, max]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(600);
});

it('has no program for lists and the fields that lists count, and names their sources', () => {
  const withoutProgram = inputs.flatMap(({ source }) =>
    source.kind === 'computed' && source.program === undefined ? [source.needs] : [],
  );
  expect(withoutProgram).toEqual([['losses'], ['total_claims']]);
});

it('makes inputs of the fields that a program reads', () => {
  const names = inputs.map(({ name }) => name);
  for (const name of ['dwelling_a', 'coverage_c', 'square_feet', 'roof_year', 'year_built'])
    expect(names).toContain(name);
});
