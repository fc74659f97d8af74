import { checkRuleSet } from '@leeward/engine';
import { expect, it } from 'vitest';
import { ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { readAskedAt } from '../finding/asked-at.ts';
import { diffRuleSets } from './diff.ts';

it('shows an example event for a moratorium whose condition changed', () => {
  const withMagnitude = (magnitude: number) => {
    const quake = {
      count: 'events',
      where: {
        all: [
          test('kind', 'equal', 'earthquake'),
          test('magnitude', 'greaterThanInclusive', magnitude),
          test('hours_since_start', 'lessThan', 72),
          test('miles_from_county', 'lessThanInclusive', 100),
        ],
      },
      operator: 'greaterThanInclusive',
      value: 1,
    };
    const moratoria = [{ id: 'quake', when: { all: [quake] }, message: 'Suspended after {event}.' }];
    return checkRuleSet(ruleSetFile({ rules: [], moratoria })).ruleSet!;
  };
  const { findings, isComplete } = diffRuleSets(withMagnitude(5), withMagnitude(6), { at: readAskedAt('2026-11-20')! });
  expect(isComplete).toBe(true);
  expect(findings[0]).toMatchObject({
    code: 'newly_accepted',
    ruleId: 'quake',
    example: { x_events: [{ kind: 'earthquake', magnitude: 5 }] },
  });
});
