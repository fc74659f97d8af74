import { createProperty, type Knowledge, type Property, type Rule, type RuleSet } from '@leeward/engine';
import { between, type Program } from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { pick, wholeNumber } from '../random.ts';
import { randomTree } from './random-trees.ts';
import { tinyLine, tinyValues } from './tiny-line.ts';

/** Delaware has three counties: enough to tell apart, few enough to try all. */
const counties = countiesOf('de').map((county) => county.fips);

/** A value of every cell that the constants of the random rules can cut. */
const everyValue: Readonly<Record<string, readonly (number | string)[]>> = {
  ...tinyValues,
  draft: [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3],
  launched: [1900, 2019, ...tinyValues['launched']!],
};

/** Rules over the tiny line, in one or two programs that split the counties. */
export function randomRuleSet(random: () => number): RuleSet {
  let count = 0;
  const rules = (most: number, depth: number): Rule[] =>
    Array.from({ length: wholeNumber(random, 0, most) }, () => ({
      id: `r${++count}`,
      outcome: pick(random, ['decline', 'decline', 'refer', 'require'] as const),
      code: 'x_other',
      message: '',
      condition: randomTree(random, { depth, wild: false }),
      priority: 1,
      path: '',
    }));
  const shuffled = [...counties].sort(() => random() - 0.5);
  const split = wholeNumber(random, 0, counties.length);
  const program = (id: string, mode: 'include' | 'exclude', fips: string[]): Program => ({
    id,
    policyTypes: ['hull'],
    places: { states: ['de'], counties: new Map([['de', { mode, fips: new Set(fips) }]]) },
    rules: rules(2, 2),
  });
  const programs = [program('one', 'include', shuffled.slice(0, split))];
  if (random() < 0.6) programs.push(program('two', random() < 0.5 ? 'exclude' : 'include', shuffled.slice(0, split)));
  if (programs[1]?.places.counties.get('de')?.mode === 'include') programs.pop();
  return {
    carrierKey: 'test',
    carrierName: 'Test',
    line: 'boat',
    version: '1',
    effectiveFrom: '2026-01-01',
    effectiveUntil: undefined,
    rules: rules(4, 2),
    programs,
    moratoria: [],
    allowed: [],
    sha256: '',
    file: {},
  };
}

/** Two or three fields unknown, or known within bounds. */
export function randomProperty(random: () => number): {
  property: Property;
  choices: Map<string, readonly (number | string)[]>;
} {
  const values: Record<string, Knowledge> = {};
  const choices = new Map<string, readonly (number | string)[]>();
  for (const field of tinyLine.fields) {
    const all = everyValue[field.name]!;
    const roll = random();
    if (roll < 0.35 && choices.size < 3) choices.set(field.name, all);
    else if (roll < 0.45 && choices.size < 3) {
      const [a, b] = [pick(random, all), pick(random, all)];
      if (typeof a === 'number' && typeof b === 'number') {
        const [min, max] = [Math.min(a, b), Math.max(a, b)];
        values[field.name] = between(min, max);
        choices.set(
          field.name,
          all.filter((value) => (value as number) >= min && (value as number) <= max),
        );
      } else {
        const words = [...new Set([a as string, b as string])];
        values[field.name] = words.length === 1 ? words[0]! : { kind: 'one of', words };
        choices.set(field.name, words);
      }
    } else values[field.name] = pick(random, all);
  }
  const county = random() < 0.5 ? [pick(random, counties)] : undefined;
  const property = createProperty({
    vocabulary: tinyLine,
    policyType: 'hull',
    state: 'de',
    counties: county,
    values,
    asOfMs: 0,
    effectiveDate: '2026-11-20',
  });
  if (!county) choices.set('county', counties);
  return { property, choices };
}
