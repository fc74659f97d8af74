import { describe, expect, it } from 'vitest';
import { createCatalog } from '../catalog/create-catalog.ts';
import { explainVerdict } from '../explain/explain-verdict.ts';
import { createProperty, type PropertyInput } from '../request/property.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { HazardEvent } from './hazard-event.ts';

const asOfMs = Date.parse('2026-08-29T12:00:00Z');

const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
const some = (...all: unknown[]) => ({ count: 'events', where: { all }, operator: 'greaterThanInclusive', value: 1 });

const storm = {
  id: 'storm',
  when: {
    all: [
      some(
        test('kind', 'in', ['hurricane', 'tropical_storm']),
        test('hours_since_end', 'lessThan', 72),
        test('miles_from_home', 'lessThan', 100),
      ),
    ],
  },
  message: 'Binding is suspended: {event} is near.',
};

function catalogAndHome(moratorium: object, home: Partial<PropertyInput>, events: readonly HazardEvent[] | undefined) {
  const file = {
    format: 1,
    carrier: { key: 'gulf', name: 'Gulf Mutual' },
    version: '1',
    effective: { from: '2020-01-01' },
    programs: [{ id: 'all', policy_types: ['ho3', 'dp3'], states: ['la', 'tx', 'fl'] }],
    moratoria: [moratorium],
  };
  const property = createProperty({
    vocabulary: homeVocabulary,
    policyType: 'ho3',
    state: 'la',
    counties: ['22071'],
    location: { latitude: 29.95, longitude: -90.07, radiusMeters: 20 },
    asOfMs,
    effectiveDate: '2026-08-29',
    values: {},
    ...home,
    events,
  });
  return { catalog: createCatalog([{ file }]), property };
}

function decide(...args: Parameters<typeof catalogAndHome>) {
  const { catalog, property } = catalogAndHome(...args);
  return catalog.decideSync(property).verdicts[0]!;
}

const ida: HazardEvent = {
  id: 'ida',
  kind: 'hurricane',
  name: 'Ida',
  position: { latitude: 29.1, longitude: -90.2 },
  from: '2026-08-26T15:00:00Z',
};

describe('a moratorium with a condition', () => {
  it('declines while an event matches, and names it', () => {
    const { status, reasons, missingFields } = decide(storm, {}, [ida]);
    expect({ status, reasons, missingFields }).toEqual({
      status: 'ineligible',
      missingFields: [],
      reasons: [
        {
          code: 'moratorium',
          message: 'Binding is suspended: Hurricane Ida is near.',
          fields: [],
          ruleId: 'storm',
          temporary: true,
          endsAt: null,
        },
      ],
    });
  });

  it('begins a sentence with a capital', () => {
    const message = '{event} is near: {event}. {event} stays.';
    const { name: _, ...unnamed } = ida;
    expect(decide({ ...storm, message }, {}, [unnamed]).reasons[0]!.message).toBe(
      'A hurricane is near: a hurricane. A hurricane stays.',
    );
  });

  it('explains which event matches, and how far away it is', async () => {
    const texts = async (events: readonly HazardEvent[] | undefined, home: Partial<PropertyInput> = {}) => {
      const { catalog, property } = catalogAndHome({ ...storm, from: '2026-08-01T00:00:00Z' }, home, events);
      const explanation = await explainVerdict(catalog, property, { carrierKey: 'gulf', policyType: 'ho3' });
      return explanation.decidedBy.map(({ ruleId, kind, tests }) => [ruleId, kind, ...tests.map(({ text }) => text)]);
    };
    expect(await texts([ida])).toMatchInlineSnapshot(`
      [
        [
          "storm",
          "moratorium",
          "Time of the request: 2026-08-29 12:00 UTC, which is at least 2026-08-01 00:00 UTC.",
          "Number of hurricane or tropical storm events (time since the end is less than 72 hours and distance from the home is less than 100 miles): 1 (Hurricane Ida, 59 miles away), which is at least 1.",
        ],
      ]
    `);
    expect(
      await texts([{ ...ida, position: { latitude: 28.6, longitude: -89.2 } }], { location: undefined }),
    ).toMatchInlineSnapshot(`
      [
        [
          "storm",
          "moratorium",
          "Number of hurricane or tropical storm events (time since the end is less than 72 hours and distance from the home is less than 100 miles): 0 to 1 (possibly Hurricane Ida, 95 to 124 miles away); not known whether it is at least 1.",
        ],
      ]
    `);
    expect(await texts(undefined)).toMatchInlineSnapshot(`
      [
        [
          "storm",
          "moratorium",
          "Number of hurricane or tropical storm events (time since the end is less than 72 hours and distance from the home is less than 100 miles): not given; not known whether it is at least 1.",
        ],
      ]
    `);
  });

  it('ends after its tail of hours', () => {
    const ended = { ...ida, until: '2026-08-28T00:00:00Z' };
    expect(decide(storm, {}, [ended]).reasons[0]).toMatchObject({ endsAt: '2026-08-31T00:00:00.000000Z' });
    const long = { ...ida, until: '2026-08-26T15:30:00Z' };
    expect(decide(storm, { asOfMs: Date.parse('2026-08-29T15:30:00Z') }, [long]).status).toBe('eligible');
  });

  it('does not apply to far, future or other events', () => {
    for (const event of [
      { ...ida, position: { latitude: 29.1, longitude: -80 } },
      { ...ida, from: '2026-08-29T12:00:01Z' },
      { ...ida, kind: 'tornado' },
    ])
      expect(decide(storm, {}, [event]).status).toBe('eligible');
    expect(decide(storm, {}, []).status).toBe('eligible');
  });

  it('needs information without a feed, or without the place of the home', () => {
    expect(decide(storm, {}, undefined)).toMatchObject({ status: 'needs_information', missingFields: ['events'] });
    const edge = { ...ida, position: { latitude: 28.6, longitude: -89.2 } };
    expect(decide(storm, { location: undefined }, [edge])).toMatchObject({
      status: 'needs_information',
      missingFields: ['address'],
      possibleStatuses: ['eligible', 'ineligible'],
    });
    // The whole county is near, or far.
    expect(decide(storm, { location: undefined }, [ida]).status).toBe('ineligible');
    expect(
      decide(storm, { location: undefined }, [{ ...ida, position: { latitude: 25, longitude: -80 } }]).status,
    ).toBe('eligible');
  });

  it('lacks the event, not the home, where only the event can decide', () => {
    const { position: _, ...placeless } = { ...ida, counties: ['22071'] };
    for (const fact of ['miles_from_home', 'miles_from_county', 'miles_from_state']) {
      const near = { ...storm, when: { all: [some(test(fact, 'lessThan', 100))] } };
      expect(decide(near, { location: undefined }, [placeless]).missingFields).toEqual(['events']);
    }
    const covered = { ...storm, when: { all: [some(test('covers_home', 'equal', true))] } };
    expect(decide(covered, { location: undefined }, [ida]).missingFields).toEqual(['events']);
  });

  it('requests no events from the applicant', () => {
    const { catalog, property } = catalogAndHome(storm, { location: undefined }, undefined);
    expect(catalog.decideSync(property).nextQuestions).toEqual([]);
    expect(catalog.testedFields()).not.toContain('events');
  });

  it('applies in its window, places and policy types only', () => {
    expect(decide({ ...storm, states: ['tx'] }, {}, [ida]).status).toBe('eligible');
    expect(decide({ ...storm, policy_types: ['dp3'] }, {}, [ida]).status).toBe('eligible');
    expect(decide({ ...storm, from: '2026-08-29T12:00:01Z' }, {}, [ida]).status).toBe('eligible');
    expect(decide({ ...storm, until: '2026-08-29T12:00:00Z' }, {}, [ida]).status).toBe('eligible');
    const inOrleans = { ...storm, counties: { la: { include: ['orleans'] } } };
    expect(decide(inOrleans, {}, [ida]).status).toBe('ineligible');
    expect(decide(inOrleans, { counties: ['22033'] }, [ida]).status).toBe('eligible');
    expect(decide(inOrleans, { counties: undefined }, [ida])).toMatchObject({ missingFields: ['county'] });
    expect(decide({ ...storm, until: '2026-09-01T00:00:00Z' }, {}, [ida]).reasons[0]).toMatchObject({
      endsAt: '2026-09-01T00:00:00.000000Z',
    });
  });

  it('exempts homes that were quoted before the event and are effective later', () => {
    const exempt = {
      ...storm,
      unless: {
        all: [
          test('days_until_effective', 'greaterThan', 10),
          {
            count: 'events',
            where: {
              all: [
                test('kind', 'in', ['hurricane', 'tropical_storm']),
                test('miles_from_home', 'lessThan', 100),
                test('quoted_before', 'equal', false),
              ],
            },
            operator: 'equal',
            value: 0,
          },
        ],
      },
    };
    const later = { effectiveDate: '2026-09-09' };
    expect(decide(exempt, { ...later, values: { quoted_on: '2026-08-25' } }, [ida]).status).toBe('eligible');
    expect(decide(exempt, { ...later, values: { quoted_on: '2026-08-26' } }, [ida]).status).toBe('ineligible');
    expect(decide(exempt, { values: { quoted_on: '2026-08-25' } }, [ida]).status).toBe('ineligible');
    expect(decide(exempt, later, [ida])).toMatchObject({ status: 'needs_information', missingFields: ['quoted_on'] });
    expect(decide(exempt, { effectiveDate: '2026-09-08' }, [ida]).status).toBe('ineligible');
  });
});
