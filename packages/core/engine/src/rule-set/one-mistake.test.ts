import { describe, expect, it } from 'vitest';
import {
  imported,
  moratorium,
  program,
  ruleFile,
  ruleSetFile,
  test,
  when,
  withMoratorium,
  without,
  withProgram,
  withRule,
} from '../../../../../test/support/engine/rule-set-file.ts';
import { checkRuleSet } from './check.ts';

// A mistake, its file, and the place and code of the only fault.
const mistakes: readonly (readonly [what: string, file: unknown, fault: string])[] = [
  ['no object', 'text', ' not_a_rule_set'],
  ['null', null, ' not_a_rule_set'],
  ['a plain list of rules', [imported()], ' not_a_rule_set'],
  ['another format', ruleSetFile({ format: 2 }), '/format invalid_value'],
  ['no format', without(ruleSetFile(), 'format'), ' missing_key'],
  ['no version', without(ruleSetFile(), 'version'), ' missing_key'],
  ['an empty version', ruleSetFile({ version: '' }), '/version invalid_value'],
  ['no programs', without(ruleSetFile(), 'programs'), ' missing_key'],
  ['an empty list of programs', ruleSetFile({ programs: [] }), '/programs invalid_value'],
  ['no name of the carrier', ruleSetFile({ carrier: { key: 'a' } }), '/carrier missing_key'],
  ['a key with capitals', ruleSetFile({ carrier: { key: 'Pine', name: 'Pine' } }), '/carrier/key invalid_value'],
  ['an unknown line', ruleSetFile({ line: 'flood' }), '/line unknown_line'],
  ['an unknown key', ruleSetFile({ note: 'x' }), '/note unknown_key'],
  [
    'a misspelt key, which is not missing as well',
    { ...without(ruleSetFile(), 'version'), verson: '1' },
    '/verson unknown_key',
  ],
  [
    'a __proto__ key',
    JSON.parse(JSON.stringify(ruleSetFile({ X: {} })).replace('"X"', '"__proto__"')),
    '/__proto__ unknown_key',
  ],
  ['a date that is none', ruleSetFile({ effective: { from: '2026-02-30' } }), '/effective/from invalid_date'],
  [
    'a window that ends before it begins',
    ruleSetFile({ effective: { from: '2026-01-02', until: '2026-01-01' } }),
    '/effective/until empty_window',
  ],
  [
    'a window of no days',
    ruleSetFile({ effective: { from: '2026-01-01', until: '2026-01-01' } }),
    '/effective/until empty_window',
  ],
  ['rules that are no list', ruleSetFile({ rules: {} }), '/rules invalid_type'],
  ['a rule that is no object', ruleSetFile({ rules: ['x'] }), '/rules/0 invalid_type'],
  ['a lone surrogate', ruleSetFile({ $comment: '\ud800' }), ' invalid_value'],

  ['a rule without id', ruleSetFile({ rules: [without(ruleFile(), 'id')] }), '/rules/0 missing_key'],
  ['a rule without code', ruleSetFile({ rules: [without(ruleFile(), 'code')] }), '/rules/0 missing_key'],
  ['a rule without message', ruleSetFile({ rules: [without(ruleFile(), 'message')] }), '/rules/0 missing_key'],
  ['a rule without outcome', ruleSetFile({ rules: [without(ruleFile(), 'outcome')] }), '/rules/0 missing_key'],
  ['an unknown outcome', withRule({ outcome: 'deny' }), '/rules/0/outcome unknown_outcome'],
  ['an unknown code', withRule({ code: 'clams' }), '/rules/0/code unknown_code'],
  ['an own code without x_', withRule({ code: 'mine' }), '/rules/0/code unknown_code'],
  ['an unknown fact in a message', withRule({ message: 'Claims: {claims}.' }), '/rules/0/message unknown_message_fact'],
  ['neither when nor unless', ruleSetFile({ rules: [without(ruleFile(), 'when')] }), '/rules/0 missing_when'],
  ['both when and unless', withRule({ unless: { all: [] } }), '/rules/0 when_and_unless'],
  ['an unknown key of a rule', withRule({ priorty: 1 }), '/rules/0/priorty unknown_key'],
  ['a priority in text', withRule({ priority: '1' }), '/rules/0/priority invalid_type'],

  ['a bare leaf', withRule({ when: test('total_claims', 'greaterThan', 2) }), '/rules/0/when bare_leaf'],
  ['an empty condition', withRule({ when: {} }), '/rules/0/when missing_key'],
  ['a condition of two kinds', withRule({ when: { all: [], any: [] } }), '/rules/0/when ambiguous_condition'],
  ['all that is no list', withRule({ when: { all: {} } }), '/rules/0/when/all invalid_type'],
  ['not that is a list', withRule({ when: { not: [] } }), '/rules/0/when/not invalid_type'],
  [
    'an unknown shared condition',
    withRule({ when: { condition: 'old' } }),
    '/rules/0/when/condition unknown_condition',
  ],
  [
    'a shared condition of the prototype',
    withRule({ when: { condition: 'toString' } }),
    '/rules/0/when/condition unknown_condition',
  ],
  ['a ring of one', ruleSetFile({ conditions: { a: { condition: 'a' } } }), '/conditions/a/condition condition_cycle'],
  [
    'a ring of two',
    ruleSetFile({ conditions: { a: { not: { condition: 'b' } }, b: { all: [{ condition: 'a' }] } } }),
    '/conditions/b/all/0/condition condition_cycle',
  ],
  [
    'a shared condition with a slash',
    ruleSetFile({ conditions: { 'a/b~': { all: [{}] } } }),
    '/conditions/a~1b~0/all/0 missing_key',
  ],

  ['a test without operator', when({ fact: 'total_claims', value: 2 }), '/rules/0/when/all/0 missing_key'],
  ['a test without value', when({ fact: 'total_claims', operator: 'equal' }), '/rules/0/when/all/0 missing_key'],
  ['an unknown fact', when(test('totl_claims', 'equal', 2)), '/rules/0/when/all/0/fact unknown_fact'],
  ['a fact of the prototype', when(test('constructor', 'equal', 2)), '/rules/0/when/all/0/fact unknown_fact'],
  [
    'an unknown fact on the right',
    when(test('total_claims', 'equal', { fact: 'x' })),
    '/rules/0/when/all/0/value/fact unknown_fact',
  ],
  ['an unknown operator', when(test('total_claims', 'greater', 2)), '/rules/0/when/all/0/operator unknown_operator'],
  [
    'an unknown decorator',
    when(test('total_claims', 'never:equal', 2)),
    '/rules/0/when/all/0/operator unknown_operator',
  ],
  [
    'an operator of the prototype',
    when(test('total_claims', 'toString', 2)),
    '/rules/0/when/all/0/operator unknown_operator',
  ],
  [
    'an order of words',
    when(test('usage', 'greaterThan', 'rental')),
    '/rules/0/when/all/0/operator operator_not_for_kind',
  ],
  [
    'a member of a number',
    when(test('total_claims', 'contains', 2)),
    '/rules/0/when/all/0/operator operator_not_for_kind',
  ],
  [
    'a test that would throw',
    when(test('total_claims', 'someValue:in', [2])),
    '/rules/0/when/all/0/value/0 value_wrong_type',
  ],
  [
    'a test that would throw behind a match',
    when(test('usage', 'someValue:in', [['rental'], 5])),
    '/rules/0/when/all/0/value/1 value_wrong_type',
  ],
  [
    'a swapped test that would throw',
    when(test('total_claims', 'swap:in', 2)),
    '/rules/0/when/all/0/operator operator_not_for_kind',
  ],
  [
    'a test of two facts that would throw',
    when(test('dwelling_a', 'in', { fact: 'total_claims' })),
    '/rules/0/when/all/0/operator operator_not_for_kind',
  ],
  [
    'a number against a word',
    when(test('total_claims', 'equal', { fact: 'usage' })),
    '/rules/0/when/all/0/value/fact value_wrong_type',
  ],
  [
    'a county against another fact',
    when(test('state', 'equal', { fact: 'county' })),
    '/rules/0/when/all/0/value/fact value_wrong_type',
  ],
  ['a number in text', when(test('total_claims', 'equal', '2')), '/rules/0/when/all/0/value value_wrong_type'],
  ['null for a number', when(test('total_claims', 'equal', null)), '/rules/0/when/all/0/value value_wrong_type'],
  ['a number for a word', when(test('usage', 'equal', 2)), '/rules/0/when/all/0/value value_wrong_type'],
  ['a list for one value', when(test('usage', 'equal', ['rental'])), '/rules/0/when/all/0/value value_wrong_type'],
  ['one value for a list', when(test('usage', 'in', 'rental')), '/rules/0/when/all/0/value value_wrong_type'],
  [
    'a word in a list of numbers',
    when(test('total_claims', 'in', [1, 'two'])),
    '/rules/0/when/all/0/value/1 value_wrong_type',
  ],
  ['an unknown word', when(test('usage', 'equal', 'Rental')), '/rules/0/when/all/0/value unknown_value'],
  [
    'an unknown word in a list',
    when(test('usage', 'notIn', ['rental', 'rented'])),
    '/rules/0/when/all/0/value/1 unknown_value',
  ],
  [
    'an unknown word under a decorator',
    when(test('usage', 'everyValue:notEqual', ['rental', 'rented'])),
    '/rules/0/when/all/0/value/1 unknown_value',
  ],
  ['a state in capitals', when(test('state', 'equal', 'TX')), '/rules/0/when/all/0/value unknown_state'],
  [
    'an unknown policy type in a test',
    when(test('policy_type', 'in', ['ho4'])),
    '/rules/0/when/all/0/value/0 unknown_policy_type',
  ],
  ['a county without its state', when(test('county', 'equal', 'harris')), '/rules/0/when/all/0/value unknown_county'],
  [
    'a county of another state in a test',
    when(test('county', 'in', ['harris, tx', 'harris, fl'])),
    '/rules/0/when/all/0/value/1 unknown_county',
  ],
  ['a FIPS code of no county', when(test('county', 'equal', '48000')), '/rules/0/when/all/0/value unknown_county'],

  ['a program without states', ruleSetFile({ programs: [without(program(), 'states')] }), '/programs/0 missing_key'],
  ['a program of no states', withProgram({ states: [] }), '/programs/0/states invalid_value'],
  [
    'an unknown policy type',
    withProgram({ policy_types: ['ho3', 'HO-5'] }),
    '/programs/0/policy_types/1 unknown_policy_type',
  ],
  ['an unknown state', withProgram({ states: ['tx', 'zz'] }), '/programs/0/states/1 unknown_state'],
  ['a state by name', withProgram({ states: ['Texas'] }), '/programs/0/states/0 unknown_state'],
  [
    'counties of a state not written',
    withProgram({ counties: { la: { include: ['Orleans'] } } }),
    '/programs/0/counties/la county_not_in_states',
  ],
  ['counties of no state', withProgram({ counties: { zz: { include: [] } } }), '/programs/0/counties/zz unknown_state'],
  [
    'counties included and excluded',
    withProgram({ counties: { tx: { include: [], exclude: [] } } }),
    '/programs/0/counties/tx include_and_exclude',
  ],
  [
    'counties neither included nor excluded',
    withProgram({ counties: { tx: {} } }),
    '/programs/0/counties/tx include_and_exclude',
  ],
  [
    'a county of another state',
    withProgram({ counties: { tx: { include: ['harris', 'broward'] } } }),
    '/programs/0/counties/tx/include/1 unknown_county',
  ],
  [
    'an unknown county',
    withProgram({ counties: { tx: { exclude: ['haris'] } } }),
    '/programs/0/counties/tx/exclude/0 unknown_county',
  ],
  [
    'an unknown key of a selection',
    withProgram({ counties: { tx: { include: [], only: [] } } }),
    '/programs/0/counties/tx/only unknown_key',
  ],

  [
    'a moratorium without message',
    ruleSetFile({ moratoria: [without(moratorium(), 'message')] }),
    '/moratoria/0 missing_key',
  ],
  ['a moratorium from a date', withMoratorium({ from: '2026-09-24' }), '/moratoria/0/from invalid_date'],
  ['a moratorium without an offset', withMoratorium({ from: '2026-09-24T17:00:00' }), '/moratoria/0/from invalid_date'],
  [
    'a moratorium that ends before it begins',
    withMoratorium({ until: '2026-09-24T17:00:00-05:00' }),
    '/moratoria/0/until empty_window',
  ],
  [
    'a moratorium on an unknown policy type',
    withMoratorium({ policy_types: ['hull'] }),
    '/moratoria/0/policy_types/0 unknown_policy_type',
  ],
  ['a moratorium in an unknown state', withMoratorium({ states: ['Texas'] }), '/moratoria/0/states/0 unknown_state'],
  [
    'a moratorium that quotes an unknown fact',
    withMoratorium({ message: '{storm}' }),
    '/moratoria/0/message unknown_message_fact',
  ],

  ['two rules of one id', ruleSetFile({ rules: [ruleFile(), ruleFile()] }), '/rules/1/id duplicate_id'],
  ['a rule of a program with the id of a top rule', withProgramRule('claims'), '/programs/0/rules/0/id duplicate_id'],
  [
    'two programs of one id',
    ruleSetFile({ programs: [program(), program({ policy_types: ['ho5'] })] }),
    '/programs/1/id duplicate_id',
  ],
  ['two moratoria of one id', ruleSetFile({ moratoria: [moratorium(), moratorium()] }), '/moratoria/1/id duplicate_id'],
  ['an imported name used twice', ruleSetFile({ rules: [imported(), imported()] }), '/rules/1/name duplicate_id'],
  [
    'an id that an unnamed rule has by its place',
    ruleSetFile({ rules: [ruleFile({ id: 'rule-2' }), without(imported(), 'name')] }),
    '/rules/1 duplicate_id',
  ],

  [
    'an event of no outcome',
    ruleSetFile({ rules: [imported({ event: { type: 'deny' } })] }),
    '/rules/0/event/type unmapped_event',
  ],
  ['an imported rule without event', ruleSetFile({ rules: [without(imported(), 'event')] }), '/rules/0 missing_key'],
  [
    'an imported rule without conditions',
    ruleSetFile({ rules: [without(imported(), 'conditions')] }),
    '/rules/0 missing_key',
  ],
  [
    'an outcome that is none',
    ruleSetFile({ outcomes: { deny: 'declin' }, rules: [imported({ event: { type: 'deny' } })] }),
    '/outcomes/deny unknown_outcome',
  ],
  [
    'another outcome that is none',
    ruleSetFile({ outcomes: { ok: { otherwise: 'declin' } } }),
    '/outcomes/ok/otherwise unknown_outcome',
  ],
  [
    'an imported bare leaf',
    ruleSetFile({ rules: [imported({ conditions: test('total_claims', 'equal', 2) })] }),
    '/rules/0/conditions bare_leaf',
  ],
];

function withProgramRule(id: string): Record<string, unknown> {
  return ruleSetFile({ programs: [program({ rules: [ruleFile({ id })] })] });
}

describe('one mistake, one fault', () => {
  it.each(mistakes)('%s', (_, file, fault) => {
    const { ruleSet, faults } = checkRuleSet(file);
    expect(faults.map((each) => `${each.path} ${each.code}`)).toEqual([fault]);
    expect(faults[0]?.message).toMatch(/^\S.{10,}[.?]$/su);
    expect(ruleSet).toBeUndefined();
  });

  it('says what was meant', () => {
    const message = (file: unknown) => checkRuleSet(file).faults[0]?.message;
    expect(message(when(test('totl_claims', 'equal', 2)))).toContain('Did you mean "total_claims"?');
    expect(message(when(test('total_claims', 'greterThan', 2)))).toContain('Did you mean "greaterThan"?');
    expect(message(when(test('usage', 'equal', 'Rental')))).toContain('Did you mean "rental"?');
    expect(message(when(test('state', 'equal', 'Texas')))).toContain('Did you mean "tx"?');
    expect(message(withRule({ code: 'clams' }))).toContain('Did you mean "claims"?');
    expect(message(withRule({ outcome: 'declin' }))).toContain('Did you mean "decline"?');
    expect(message(withProgram({ counties: { tx: { include: ['haris'] } } }))).toContain('Did you mean "harris"?');
    expect(message(withProgram({ counties: { tx: { include: ['broward'] } } }))).toContain('There is one in: fl.');
    expect(message(ruleSetFile({ programz: [] }))).toContain('Did you mean "programs"?');
    expect(message([])).toContain('Import a plain list of rules first.');
  });
});
