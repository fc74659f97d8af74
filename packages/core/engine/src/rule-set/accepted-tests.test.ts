import { expect, it } from 'vitest';
import { ruleFile, ruleSetFile } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { RuleSetError } from '../catalog/rule-set-error.ts';
import { decoratorNames, operatorNames } from '../condition/operators.ts';
import { completeHome, propertyOf } from '../testing/complete-homes.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import { homeVocabulary } from '../vocabulary/home.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);

it(`no test of an accepted file throws for any home, and both evaluators agree (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const facts = factIndex(homeVocabulary).names;
  const constants: readonly unknown[] = [
    ...[
      0,
      1,
      2.5,
      15,
      1990,
      250_000,
      -1,
      '',
      'x',
      '12',
      'rental',
      'tile',
      'tx',
      'ho3',
      'harris, tx',
      '48201',
      'baltimore, md',
    ],
    ...[null, true, {}, [], [[1]], [['rental']], ['rental', 'tile'], [1, 2], ['a', 5], ['harris, tx', '24510']],
  ];
  const value = (): unknown => {
    const roll = random();
    if (roll < 0.15) return { fact: pick(random, facts) };
    if (roll < 0.4) return Array.from({ length: wholeNumber(random, 0, 3) }, () => pick(random, constants));
    return pick(random, constants);
  };
  const operator = (): string => {
    const decorators = Array.from({ length: pick(random, [0, 0, 1, 1, 2]) }, () => pick(random, decoratorNames));
    return [...decorators, pick(random, operatorNames)].join(':');
  };
  const places = [
    ['tx', 'harris'],
    ['md', 'baltimore city'],
  ] as const;
  let accepted = 0;
  for (let tried = 0; accepted < testVolume(20); tried++) {
    if (tried > testVolume(6_000)) expect.fail(`Only ${accepted} tests were accepted.`);
    const test = { fact: pick(random, facts), operator: operator(), value: value() };
    const file = ruleSetFile({
      rules: [ruleFile({ when: { any: [test] } })],
      programs: [{ id: 'all', policy_types: [...homeVocabulary.policyTypes], states: ['tx', 'md'] }],
    });
    let catalog: ReturnType<typeof createCatalog>;
    try {
      catalog = createCatalog([{ file }]);
    } catch (error) {
      if (error instanceof RuleSetError) continue;
      throw error;
    }
    accepted++;
    const reference = createCatalog([{ file }], { evaluator: 'reference' });
    for (let each = 0; each < 4; each++) {
      const body = completeHome(random, places);
      const { roof_age: _, roof_type: __, usage: ___, distance_to_coast_miles: ____, ...less } = body;
      for (const home of [body, { ...less, county: null }]) {
        if (!['tx', 'md'].includes(home['state'] as string)) continue;
        const property = propertyOf(home);
        const [ours] = catalog.decideSync(property).verdicts;
        const [theirs] = (await reference.decide(property)).verdicts;
        const settled = theirs?.status !== 'needs_information';
        if (settled) expect({ test, home, status: ours?.status }).toEqual({ test, home, status: theirs?.status });
      }
    }
  }
});
