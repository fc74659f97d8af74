import type { Property, RuleSet } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { checked, fixtureFiles } from '../../../../../test/support/engine/fixture-carriers.ts';
import { borderHomes } from '../../../../../test/support/engine/random-homes.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { readAskedAt } from '../finding/asked-at.ts';
import { evaluatePlainly } from '../finding/evaluate-home.ts';
import type { Change } from './changed-regions.ts';
import { changeBetween, diffRuleSets } from './diff.ts';

const at = readAskedAt('2026-11-20')!;
const fileOf = (name: string) => fixtureFiles().find((each) => each.name === name)!.file as Json;
type Json = Record<string, unknown>;
interface Rules {
  rules: Json[];
  programs: { id: string; policy_types: string[]; states: string[]; counties?: Json; rules: Json[] }[];
  moratoria?: Json[];
}

/** Ten typical edits, each of a copy of an invented carrier's file. */
const edits: readonly (readonly [string, string, (file: Rules) => unknown])[] = [
  [
    'a limit raised and another lowered',
    'bayou_mutual/rule-set.json',
    (file) =>
      swapNumbers(file, [
        [15, 20],
        [2, 1],
      ]),
  ],
  ['a rule removed', 'pecan_grove/rule-set.json', (file) => file.programs[0]!.rules.shift()],
  ['a rule for every program removed', 'sunreach_property/rule-set.json', (file) => file.rules.shift()],
  [
    'a decline becomes a referral',
    'blackland_prairie/rule-set.json',
    (file) => {
      file.programs[0]!.rules[0]!['outcome'] = 'refer';
    },
  ],
  [
    'a referral becomes a decline',
    'brackish_bay/rule-set.json',
    (file) => {
      for (const rule of file.rules) if (rule['outcome'] === 'refer') rule['outcome'] = 'decline';
    },
  ],
  [
    'a rule added that narrows by place and age',
    'tallgrass_mutual/rule-set.json',
    (file) =>
      file.programs[0]!.rules.push({
        id: 'new-rule',
        outcome: 'decline',
        code: 'home_age',
        when: {
          any: [
            {
              all: [
                { fact: 'home_age', operator: 'greaterThan', value: 10 },
                { fact: 'usage', operator: 'notEqual', value: 'primary' },
              ],
            },
            { not: { fact: 'total_claims', operator: 'lessThan', value: 1 } },
          ],
        },
        message: 'New.',
      }),
  ],
  [
    'a state given up, another begun',
    'palmetto_tide/rule-set.json',
    (file) => {
      const [first] = file.programs;
      first!.states = [...first!.states.slice(1), 'tn'];
      delete first!.counties;
    },
  ],
  [
    'a policy type given up',
    'latchkey_dwelling/rule-set.json',
    (file) => {
      const program = file.programs.find((each) => each.policy_types.length > 1) ?? file.programs[0]!;
      program.policy_types = program.policy_types.slice(0, 1);
    },
  ],
  [
    'a facts-against-facts rule edited',
    'marsh_wren/rule-set.json',
    (file) => {
      for (const rule of file.rules)
        if (JSON.stringify(rule).includes('"fact":"home_age"')) rule['outcome'] = 'decline';
    },
  ],
  [
    'a moratorium put in force',
    'gulf_rim_wind/rule-set.json',
    (file) => {
      file.moratoria = [{ id: 'now', from: '2026-11-19T00:00:00Z', until: null, states: ['tx'], message: 'Storm.' }];
    },
  ],
];

function swapNumbers(file: Rules, pairs: readonly (readonly [number, number])[]): void {
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const own = node as Json;
    for (const [from, to] of pairs) {
      if (own['value'] === from) {
        own['value'] = to;
        break;
      }
    }
    for (const child of Object.values(own)) visit(child);
  };
  visit(file.rules);
  visit(file.programs);
}

function edited(name: string, edit: (file: Rules) => unknown): { older: RuleSet; newer: RuleSet } {
  const file = structuredClone(fileOf(name));
  edit(file as unknown as Rules);
  return { older: checked(fileOf(name)), newer: checked(file) };
}

function homesOf(older: RuleSet, newer: RuleSet, count: number, seed: number): Property[] {
  const random = createRandom(seed);
  const home = borderHomes([older, newer], at.effectiveDate, at.asOfMs, 0.8);
  return Array.from({ length: count }, () => home(random));
}

describe('the regions of a diff', () => {
  it.each(edits)('%s (%s): agrees with the engine for every sampled home', (_, name, edit) => {
    const { older, newer } = edited(name, edit);
    const diff = diffRuleSets(older, newer, { at });
    const seen = new Map<Change | undefined, number>();
    for (const home of homesOf(older, newer, testVolume(600), 5)) {
      const change = changeBetween(evaluatePlainly(older, home)!.status, evaluatePlainly(newer, home)!.status);
      seen.set(change, (seen.get(change) ?? 0) + 1);
      if (diff.changeOf(home) !== change) expect({ change: diff.changeOf(home), home }).toEqual({ change, home });
    }
    const told = new Set(diff.findings.map(({ code }) => code));
    for (const change of seen.keys()) if (change) expect(told).toContain(change);
    expect(seen.size).toBeGreaterThan(1);
    if (process.env['LEEWARD_TEST_VOLUME']) console.info(name, Object.fromEntries(seen));
    expect(diff.findings.filter(({ example }) => example).length).toBeGreaterThan(0);
    expect(diff.findings.some(({ code }) => code === 'ran_out' || code === 'not_compared')).toBe(false);
  });

  it('finds regions that random homes do not reach', () => {
    const { older, newer } = edited('bayou_mutual/rule-set.json', (file) =>
      swapNumbers(file, [[1_000_000, 1_000_001]]),
    );
    const found = diffRuleSets(older, newer, { at }).findings.filter(({ code }) => code === 'newly_accepted');
    expect(found[0]?.example).toMatchObject({ dwelling_a: 1_000_001 });
  });

  it('returns no findings for a file and itself or an equivalent one', () => {
    const older = checked(fileOf('bayou_mutual/rule-set.json'));
    expect(diffRuleSets(older, older, { at }).findings).toEqual([]);
    const { newer } = edited('bayou_mutual/rule-set.json', (file) => {
      file.rules[0]!['message'] = 'Said in other words.';
      file.rules.reverse();
    });
    expect(diffRuleSets(older, newer, { at }).findings).toMatchObject([
      { code: 'rule_edited', ruleId: (fileOf('bayou_mutual/rule-set.json')['rules'] as Json[])[0]!['id'] },
    ]);
  });

  it('reports an edited certainty', () => {
    const file = fileOf('bayou_mutual/rule-set.json');
    const { findings } = diffRuleSets(checked(file), checked({ ...file, certainty: 0.95 }), { at });
    expect(findings).toMatchObject([{ code: 'certainty_edited', path: '/certainty', side: 'newer' }]);
    expect(findings[0]?.message).toContain('nothing became 0.95');
  });

  it('reports a rule whose shared condition was edited', () => {
    const older = checked(fileOf('bayou_mutual/rule-set.json'));
    const file = structuredClone(fileOf('bayou_mutual/rule-set.json'));
    const shared = file['conditions'] as Json;
    const [name] = Object.keys(shared);
    shared[name!] = { any: [{ fact: 'primary_wiring', operator: 'equal', value: 'other' }] };
    const codes = diffRuleSets(older, checked(file), { at }).findings.map(({ code, message }) => `${code} ${message}`);
    expect(codes).toContainEqual(expect.stringMatching(/^conditions_edited/));
    expect(codes).toContainEqual(expect.stringMatching(/^rule_edited .*shared condition/));
  });
});
