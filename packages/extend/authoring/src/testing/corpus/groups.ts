import { file, type HomeOfTopic, type Topic, test } from './topic.ts';

/** Three independent tests, with values for each result. */
const tests = [
  test('total_claims', 'greaterThan', 2),
  test('acreage', 'greaterThan', 5),
  test('usage', 'equal', 'vacant'),
];
const sides = [
  { field: 'total_claims', values: { true: 5, false: 0 } },
  { field: 'acreage', values: { true: 9, false: 1 } },
  { field: 'usage', values: { true: 'vacant', false: 'primary' } },
] as const;
const truths = ['true', 'false', 'unknown'] as const;

const [a, b, c] = tests as [object, object, object];
const groups: Readonly<Record<string, object>> = {
  all: { all: [a, b, c] },
  any: { any: [a, b, c] },
  'not-all': { not: { all: [a, b, c] } },
  'not-any': { not: { any: [a, b, c] } },
  'all-of-any': { all: [{ any: [a, b] }, c] },
  'any-of-all': { any: [{ all: [a, b] }, c] },
  'not-within': { all: [{ not: a }, { any: [b, { not: c }] }] },
  shared: { any: [{ condition: 'both' }, { all: [{ not: { condition: 'both' } }, c] }] },
};
const empty: Readonly<Record<string, object>> = { 'all-of-nothing': { all: [] }, 'any-of-nothing': { any: [] } };
const shared = { conditions: { both: { all: [a, b] } } };

/** Combinations of tests, for every combination of true, false and unknown; and several rules with different outcomes. */
export function groupTopics(): Topic[] {
  const homes = truths.flatMap((x) => truths.flatMap((y) => truths.map((z) => homeOf([x, y, z]))));
  const rule = (side: string, condition: object) => ({
    id: 'group',
    outcome: 'decline',
    code: 'x_group',
    message: 'The group holds.',
    [side]: condition,
  });
  const ofSide = (side: 'when' | 'unless') =>
    Object.entries({ ...groups, ...empty }).map(
      ([name, condition]): Topic => ({
        name: `groups/${side}/${name}`,
        files: [file([rule(side, condition)], name === 'shared' ? shared : {})],
        homes: Object.hasOwn(empty, name) ? homes.slice(0, 1) : homes,
      }),
    );
  return [...ofSide('when'), ...ofSide('unless'), outcomesTogether(homes)];
}

function homeOf(combination: readonly (typeof truths)[number][]): HomeOfTopic {
  const values: Record<string, unknown> = {};
  combination.forEach((truth, index) => {
    const side = sides[index]!;
    if (truth !== 'unknown') values[side.field] = side.values[truth];
  });
  return { about: `tests are ${combination.join(', ')}`, values };
}

/** The status is the worst outcome of the rules that hold. Requirements and notes do not change it. */
function outcomesTogether(homes: readonly HomeOfTopic[]): Topic {
  const outcomes = ['decline', 'refer', 'require'];
  const rules = tests.flatMap((each, index) => [
    {
      id: outcomes[index]!,
      outcome: outcomes[index],
      code: `x_${outcomes[index]}`,
      message: 'Holds.',
      when: { all: [each] },
    },
    { id: `note-${index}`, outcome: 'inform', code: 'x_note', message: 'Noted.', when: { all: [each] } },
  ]);
  return { name: 'groups/outcomes', files: [file(rules)], homes };
}
