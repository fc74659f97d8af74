import { countiesOf } from '@leeward/places/counties';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ruleSetFile } from '../../../../../test/support/engine/rule-set-file.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { checkRuleSet } from './check.ts';

interface ProgramFile {
  readonly id: string;
  readonly policy_types: readonly string[];
  readonly states: readonly string[];
  readonly counties?: Readonly<
    Record<string, { readonly include?: readonly string[]; readonly exclude?: readonly string[] }>
  >;
}

const overlaps = (programs: readonly Omit<ProgramFile, 'id'>[]) => {
  const numbered = programs.map((program, index) => ({ id: `p${index}`, ...program }));
  return checkRuleSet(ruleSetFile({ programs: numbered })).faults;
};
const inTexas = (policy_types: readonly string[], selection?: object) => ({
  policy_types,
  states: ['tx'],
  ...(selection ? { counties: { tx: selection } } : {}),
});

it.each([
  ['the same twice', [inTexas(['ho3']), inTexas(['ho3'])], '/programs/1'],
  ['one type in common', [inTexas(['ho3', 'ho5']), inTexas(['dp1', 'ho5'])], '/programs/1'],
  ['a county in a whole state', [inTexas(['ho3']), inTexas(['ho3'], { include: ['harris'] })], '/programs/1'],
  [
    'a county in all but another',
    [inTexas(['ho3'], { exclude: ['chambers'] }), inTexas(['ho3'], { include: ['harris'] })],
    '/programs/1',
  ],
  [
    'two that each leave one county out',
    [inTexas(['ho3'], { exclude: ['harris'] }), inTexas(['ho3'], { exclude: ['chambers'] })],
    '/programs/1',
  ],
  [
    'one state of several',
    [
      { policy_types: ['ho3'], states: ['la', 'tx'] },
      { policy_types: ['ho3'], states: ['ms', 'la'] },
    ],
    '/programs/1',
  ],
  [
    'an ambiguous name and one of its two',
    [
      { policy_types: ['ho3'], states: ['md'], counties: { md: { include: ['baltimore'] } } },
      { policy_types: ['ho3'], states: ['md'], counties: { md: { include: ['baltimore city'] } } },
    ],
    '/programs/1',
  ],
])('%s overlap', (_, programs, path) => {
  const faults = overlaps(programs);
  expect(faults).toMatchObject([{ path, code: 'program_overlap' }]);
  expect(faults[0]?.message).toMatch(/"p0" and "p1" both cover (ho3|ho5) in .+, (tx|la|md)/);
});

it.each([
  ['two types', [inTexas(['ho3']), inTexas(['ho5'])]],
  [
    'two states',
    [
      { policy_types: ['ho3'], states: ['tx'] },
      { policy_types: ['ho3'], states: ['la'] },
    ],
  ],
  [
    'a county and all but it',
    [inTexas(['ho3'], { include: ['Harris County'] }), inTexas(['ho3'], { exclude: ['harris'] })],
  ],
  ['two counties', [inTexas(['ho3'], { include: ['harris'] }), inTexas(['ho3'], { include: ['chambers'] })]],
  ['no county at all', [inTexas(['ho3']), inTexas(['ho3'], { include: [] })]],
])('%s do not', (_, programs) => {
  expect(overlaps(programs)).toEqual([]);
});

it('names each program that comes too late, and no other', () => {
  const programs = [
    inTexas(['ho3']),
    inTexas(['ho5']),
    inTexas(['ho3', 'dp1']),
    inTexas(['ho5'], { include: ['harris'] }),
    inTexas(['dp3']),
  ];
  expect(overlaps(programs).map((fault) => fault.path)).toEqual(['/programs/2', '/programs/3']);
});

it('finds an overlap exactly where some policy type and county has two programs', () => {
  const states = ['de', 'vi', 'ri'];
  const names = (state: string) => countiesOf(state).map((county) => county.label);
  const selection = (state: string) =>
    fc.option(
      fc
        .record({ mode: fc.constantFrom('include', 'exclude'), list: fc.subarray(names(state)) })
        .map(({ mode, list }) => ({ [mode]: list })),
      { nil: undefined },
    );
  const program = fc
    .record({
      policy_types: fc.subarray(['ho3', 'ho5', 'dp1'], { minLength: 1 }),
      states: fc.subarray(states, { minLength: 1 }),
      de: selection('de'),
      vi: selection('vi'),
      ri: selection('ri'),
    })
    .map(({ policy_types, states: written, ...selections }): Omit<ProgramFile, 'id'> => {
      const counties = Object.entries(selections).filter(
        ([state, each]) => written.includes(state) && each !== undefined,
      );
      return {
        policy_types,
        states: written,
        counties: Object.fromEntries(counties) as ProgramFile['counties'] & object,
      };
    });
  const answers = (each: Omit<ProgramFile, 'id'>, policyType: string, state: string, county: string): boolean => {
    const chosen = each.counties?.[state];
    const inside = chosen?.include?.includes(county) ?? !(chosen?.exclude?.includes(county) ?? false);
    return each.policy_types.includes(policyType) && each.states.includes(state) && inside;
  };
  fc.assert(
    fc.property(fc.array(program, { minLength: 1, maxLength: 4 }), (programs) => {
      const clash = ['ho3', 'ho5', 'dp1'].some((policyType) =>
        states.some((state) =>
          names(state).some((county) => programs.filter((each) => answers(each, policyType, state, county)).length > 1),
        ),
      );
      expect(overlaps(programs).length > 0).toBe(clash);
    }),
    { numRuns: testVolume(150) },
  );
});
