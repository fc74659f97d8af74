import { expect, it } from 'vitest';
import { isRuleSetName, misnamedRuleSet } from './rule-set-name.ts';

it.each(['rule-set.json', 'rule-set.2026.1.json'])('%s is read', (name) => {
  expect([isRuleSetName(name), misnamedRuleSet(`carriers/x/${name}`)]).toEqual([true, undefined]);
});

it.each([
  ['rule-set-2.json', 'rule-set.2.json'],
  ['rule-set-2.json.json', 'rule-set.2.json.json'],
  ['rule_set__v2.json', 'rule-set.v2.json'],
  ['ruleset.json', 'rule-set.json'],
  ['Rule Sets 2026.JSON', 'rule-set.2026.json'],
])('%s is misnamed and could be called %s', (name, better) => {
  expect(isRuleSetName(name)).toBe(false);
  expect(misnamedRuleSet(`carriers/x/${name}`)).toContain(`; call it ${better}.`);
});

it.each(['cases.json', 'my-rule-set.json', 'rule-set.json.bak', 'rule-setting.json', 'rule-set-2.json5'])(
  '%s is another file',
  (name) => {
    expect([isRuleSetName(name), misnamedRuleSet(`carriers/x/${name}`)]).toEqual([false, undefined]);
  },
);
