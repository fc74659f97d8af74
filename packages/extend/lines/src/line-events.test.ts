import { checkLaw, readAskedAt, readLaw } from '@leeward/authoring';
import { checkRuleSet, createCatalog, createProperty, type PropertyInput, whatWouldChange } from '@leeward/engine';
import type { HazardEvent } from '@leeward/engine/events';
import { describe, expect, it } from 'vitest';
import { shippedLines } from './shipped-lines.ts';

const storm: HazardEvent = {
  id: 'storm',
  kind: 'hurricane',
  name: 'Rosa',
  position: { latitude: 27.9, longitude: -83.5 },
  from: '2026-08-26T00:00:00Z',
};
const near = {
  count: 'events',
  where: {
    all: [
      { fact: 'kind', operator: 'equal', value: 'hurricane' },
      { fact: 'miles_from_home', operator: 'lessThan', value: 100 },
    ],
  },
  operator: 'greaterThan',
  value: 0,
};

describe.each([...shippedLines])('events in the line %s', (line, { vocabulary }) => {
  const [policyType] = vocabulary.policyTypes as [string];
  const file = {
    format: 1,
    carrier: { key: 'gulf', name: 'Gulf Mutual' },
    line,
    version: '1',
    effective: { from: '2026-01-01' },
    rules: [
      {
        id: 'old',
        outcome: 'decline',
        code: 'x_old',
        message: 'Too old for {event}.',
        when: { all: [near, { fact: 'year_built', operator: 'lessThan', value: 1950 }] },
      },
    ],
    programs: [{ id: 'all', policy_types: [policyType], states: ['fl'] }],
    moratoria: [{ id: 'near', states: ['fl'], when: { all: [near] }, message: 'Suspended for {event}.' }],
  };
  const catalog = createCatalog([{ file }], { vocabulary });
  const home = (events: PropertyInput['events']) =>
    createProperty({
      vocabulary,
      policyType,
      state: 'fl',
      counties: ['12103'],
      location: { latitude: 27.9, longitude: -82.7, radiusMeters: 20 },
      asOfMs: Date.parse('2026-08-29T12:00:00Z'),
      effectiveDate: '2026-09-10',
      values: { year_built: 1940 },
      events,
    });

  it('suspend binding while a storm is near', () => {
    const decide = (events: PropertyInput['events']) => catalog.decideSync(home(events)).verdicts[0];
    expect(decide([storm])).toMatchObject({
      status: 'ineligible',
      reasons: [
        { code: 'moratorium', message: 'Suspended for Hurricane Rosa.', temporary: true },
        { ruleId: 'old', message: 'Too old for Hurricane Rosa.' },
      ],
    });
    expect(decide([{ ...storm, position: { latitude: 20, longitude: -83.5 } }])).toMatchObject({ status: 'eligible' });
    expect(decide([])).toMatchObject({ status: 'eligible' });
    expect(decide(undefined)).toMatchObject({ status: 'needs_information', missingFields: ['events'] });
  });

  it('are left out of the changes that a person could make', () => {
    const change = whatWouldChange(catalog, home([storm]), { carrierKey: 'gulf', policyType });
    expect(change).toMatchObject({ outcome: 'none_helps', ways: [] });
    expect(change.blockedBy.map(({ ruleId }) => ruleId)).toContain('near');
  });

  it('can be in rules that a law restricts', () => {
    const { ruleSet } = checkRuleSet(file, { vocabulary });
    const { law, faults } = readLaw(
      { format: 1, law: 'age', title: 'Age may not decide.', may_not_decide: ['year_built'] },
      vocabulary,
    );
    expect(faults).toEqual([]);
    const check = (of: object) => {
      const read = checkRuleSet(of, { vocabulary }).ruleSet ?? ruleSet!;
      return checkLaw(read, law!, { at: readAskedAt('2026-11-20')!, vocabulary });
    };
    // The moratorium already stops each of these homes.
    expect(check(file)).toEqual([]);
    const [finding, ...others] = check({ ...file, moratoria: [] });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'law_broken', ruleId: 'old' });
    const eventsOf = (example: unknown) => (example as { readonly x_events: unknown }).x_events;
    expect(eventsOf(finding!.example)).toMatchObject([{ kind: 'hurricane' }]);
    expect(eventsOf(finding!.counterexample)).toEqual(eventsOf(finding!.example));
  });
});
