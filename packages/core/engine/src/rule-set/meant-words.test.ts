import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test, withRule } from '../../../../../test/support/engine/rule-set-file.ts';
import { checkRuleSet } from './check.ts';

const faultsOf = (file: unknown) => checkRuleSet(file).faults.map(({ message }) => message);
const operator = (name: string) => faultsOf(withRule({ when: { all: [test('total_claims', name, 2)] } }));

describe('words of other rule languages', () => {
  it.each([
    ['>', 'greaterThan'],
    ['>=', 'greaterThanInclusive'],
    ['at least', 'greaterThanInclusive'],
    ['LT', 'lessThan'],
    ['not in', 'notIn'],
    ['==', 'equal'],
  ])('the operator %s is %s here', (name, meant) => {
    expect(operator(name)).toEqual([expect.stringContaining(` Write "${meant}".`)]);
  });

  it('between is two tests', () => {
    expect(operator('between')).toEqual([expect.stringContaining('two tests in an "all"')]);
  });

  it('deny is decline, and accepting needs no rule', () => {
    expect(faultsOf(withRule({ outcome: 'deny' }))).toEqual([expect.stringContaining('Write "decline".')]);
    expect(faultsOf(withRule({ outcome: 'approve' }))).toEqual([expect.stringContaining('unless')]);
  });

  it('and is all, if is when', () => {
    const { when, ...rest } = ruleFile();
    expect(faultsOf(ruleSetFile({ rules: [{ ...rest, if: when }] })).join(' ')).toContain('Write "when".');
    const nested = { all: [{ and: [test('total_claims', 'equal', 2)] }] };
    expect(faultsOf(withRule({ when: nested })).join(' ')).toContain('Write "all".');
  });

  it('a name of a prototype means nothing', () => {
    expect(operator('constructor').join(' ')).not.toContain('Write');
  });
});
