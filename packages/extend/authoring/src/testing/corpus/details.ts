import { homeVocabulary } from '@leeward/engine';
import { createRandom, pick, wholeNumber } from '../../../../../../test/support/random.ts';
import { between, file, type HomeOfTopic, oneOf, type Topic, test } from './topic.ts';

const homeWith = (about: string, values: HomeOfTopic['values']): HomeOfTopic => ({ about, values });
const rule = (id: string, outcome: string, condition: object, side = 'when') => ({
  id,
  outcome,
  code: 'x_rule',
  message: `Rule ${id}: {zipcode}, {dogs}, {wind_included}, {square_feet} square feet.`,
  [side]: condition,
});

/** Optional fields of homes: flags, ZIP codes, sets, fallbacks, decimals, relations of updates. */
export function detailTopics(): Topic[] {
  const one = (fact: string, operator: string, value: unknown): Topic => ({
    name: `details/${fact}/${operator}-${JSON.stringify(value)}`,
    files: [file([rule('rule', 'decline', { all: [test(fact, operator, value)] })])],
    homes: homesOf(fact),
  });
  const list = ['77550-77554', '775*', '00501', '90210'];
  const updates = { all: [test('wiring_updated_year', 'greaterThan', 2000), test('home_age', 'lessThan', 30)] };
  return [
    one('zipcode', 'equal', '77550'),
    one('zipcode', 'not:notEqual', '00501'),
    one('zipcode', 'notEqual', '77550'),
    one('zipcode', 'in', list),
    one('zipcode', 'not:in', list),
    one('zipcode', 'notIn', ['77550-77552']),
    one('dogs', 'contains', 'akita'),
    one('dogs', 'doesNotContain', 'akita'),
    one('dogs', 'not:contains', 'akita'),
    one('dogs', 'someFact:in', ['akita', 'pit bull']),
    one('dogs', 'everyFact:notIn', ['akita', 'pit bull']),
    one('dogs', 'everyFact:in', ['akita', 'pit bull']),
    one('dogs', 'someValue:contains', ['akita', 'pit bull']),
    one('wind_included', 'equal', true),
    one('wind_included', 'notEqual', false),
    one('wind_included', 'in', [true]),
    one('transaction', 'equal', 'renewal'),
    one('transaction', 'notIn', ['new', 'rewrite']),
    one('previously_accepted', 'equal', true),
    one('stories', 'greaterThan', 2.5),
    {
      name: 'details/updates',
      files: [
        file([
          rule('decline', 'decline', updates),
          rule('require', 'require', updates),
          rule('inform', 'inform', updates, 'unless'),
        ]),
      ],
      homes: [
        homeWith('a new house', { year_built: 2015 }),
        homeWith('old wiring', { wiring_updated_year: 1990 }),
        homeWith('bounds', { year_built: between(1980, 2010), wiring_updated_year: between(1970, 2005) }),
        homeWith('nothing is known', {}),
      ],
    },
    ...randomDetailTopics(20, 6),
  ];
}

function homesOf(fact: string): HomeOfTopic[] {
  switch (fact) {
    case 'zipcode':
      return [
        ...['77550', '77554', '77555', '77599', '77600', '00501', '90210'].map((zipcode) =>
          homeWith(zipcode, { zipcode }),
        ),
        homeWith('not known', {}),
        homeWith('within bounds', { zipcode: between('77553' as never, '77554' as never) }),
        homeWith('across a limit', { zipcode: between('77550' as never, '77601' as never) }),
      ];
    case 'dogs':
      return [
        homeWith('none', { dogs: [] }),
        homeWith('one', { dogs: ['akita'] }),
        homeWith('two', { dogs: ['pit bull', 'akita'] }),
        homeWith('another', { dogs: ['husky'] }),
        homeWith('two, one of the list', { dogs: ['akita', 'husky'] }),
        homeWith('not known', {}),
      ];
    case 'wind_included':
      return [
        homeWith('true', { wind_included: true, square_feet: 1_850 }),
        homeWith('false', { wind_included: false }),
        homeWith('not known', {}),
      ];
    case 'transaction':
      return [
        homeWith('omitted', {}),
        homeWith('renewal', { transaction: 'renewal' }),
        homeWith('one of two', { transaction: oneOf('new', 'renewal') }),
      ];
    case 'previously_accepted':
      return [
        homeWith('omitted, of new business', {}),
        homeWith('omitted, of a renewal', { transaction: 'renewal' }),
        homeWith('given', { transaction: 'renewal', previously_accepted: true }),
        homeWith('one of two transactions', { transaction: oneOf('new', 'renewal') }),
      ];
    default:
      return [
        homeWith('below', { stories: 2 }),
        homeWith('at', { stories: 2.5 }),
        homeWith('above', { stories: 3 }),
        homeWith('not known', {}),
      ];
  }
}

const names = [
  'zipcode',
  'dogs',
  'transaction',
  'previously_accepted',
  'wind_included',
  'square_feet',
  'construction',
  'stories',
  'roof_shape',
  'year_built',
  'wiring_updated_year',
  'heating_updated_year',
  'insurance_score',
  'pool',
  'flood_zone',
].filter((name) => name === 'dogs' || homeVocabulary.fields.some((field) => field.name === name));

/** Random rules on the optional fields. */
export function randomDetailTopics(count: number, homes: number, seed = 29): Topic[] {
  const random = createRandom(seed);
  const dogs = homeVocabulary.fields.flatMap(({ member }) => (member?.set === 'dogs' ? [member.word] : []));
  const zip = () => String(wholeNumber(random, 77_500, 77_620));
  const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal', 'notEqual'];
  const fieldOf = (name: string) => homeVocabulary.fields.find((field) => field.name === name)!;
  const numberOf = (name: string) => {
    if (name.includes('year')) return wholeNumber(random, 1980, 2026);
    const domain = fieldOf(name).domain({ effectiveYear: 2026 });
    if (domain.kind === 'words') return 0;
    return domain.min + Math.floor((random() * Math.min(domain.max - domain.min, 5_000)) / 4);
  };
  const wordsOf = (name: string) => {
    const domain = fieldOf(name).domain({ effectiveYear: 2026 });
    return domain.kind === 'words' ? domain.words : [];
  };
  const randomTest = () => {
    const name = pick(random, names);
    const not = random() < 0.15 ? 'not:' : '';
    if (name === 'dogs') {
      if (random() < 0.5)
        return test('dogs', `${not}${pick(random, ['contains', 'doesNotContain'])}`, pick(random, dogs));
      return test(
        'dogs',
        `${not}${pick(random, ['someFact:in', 'everyFact:notIn', 'everyFact:in'])}`,
        dogs.filter(() => random() < 0.4),
      );
    }
    if (name === 'zipcode') {
      const range = () => [zip(), zip()].sort().join('-');
      return test(
        'zipcode',
        `${not}${pick(random, ['in', 'notIn'])}`,
        [zip(), range(), pick(random, ['775*', '7760*'])].filter(() => random() < 0.7),
      );
    }
    const { form } = fieldOf(name);
    if (form) return test(name, `${not}${pick(random, ['equal', 'notEqual'])}`, random() < 0.5);
    const words = wordsOf(name);
    if (words.length > 0)
      return test(
        name,
        `${not}${pick(random, ['in', 'notIn'])}`,
        words.filter(() => random() < 0.4),
      );
    return test(name, `${not}${pick(random, orders)}`, numberOf(name));
  };
  const group = () => ({
    [pick(random, ['all', 'any'])]: Array.from({ length: wholeNumber(random, 1, 3) }, randomTest),
  });
  const valueOfField = (name: string): unknown => {
    if (name === 'dogs') return dogs.filter(() => random() < 0.3);
    if (name === 'zipcode') return zip();
    if (fieldOf(name).form) return random() < 0.5;
    const words = wordsOf(name);
    if (words.length > 0)
      return random() < 0.3 ? oneOf(...new Set([pick(random, words), pick(random, words)])) : pick(random, words);
    const [a, b] = [numberOf(name), numberOf(name)];
    return random() < 0.3 && a !== b ? between(Math.min(a, b), Math.max(a, b)) : a;
  };
  return Array.from(
    { length: count },
    (_, index): Topic => ({
      name: `details/drawn-${index + 1}`,
      files: [
        file(
          Array.from({ length: wholeNumber(random, 2, 4) }, (__, place) =>
            rule(
              `r${place + 1}`,
              pick(random, ['decline', 'refer', 'require', 'inform']),
              group(),
              random() < 0.7 ? 'when' : 'unless',
            ),
          ),
        ),
      ],
      homes: Array.from({ length: homes }, () => ({
        about: 'drawn by chance',
        values: Object.fromEntries(names.filter(() => random() < 0.6).map((name) => [name, valueOfField(name)])),
      })),
    }),
  );
}
