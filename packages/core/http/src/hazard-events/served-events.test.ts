import { createCatalog } from '@leeward/engine';
import { type HazardEvent, parseHazardEvents } from '@leeward/engine/events';
import type { CarrierRequest } from '@leeward/quotes';
import { describe, expect, it } from 'vitest';
import { createKeyHolder } from '../access/key-holder.ts';
import { createLeeward } from '../leeward.ts';
import { createClosureSource, createVerdictSource } from '../quoting/verdict-source.ts';
import { createMemoryHazardEvents, type HazardEventFeed } from './hazard-event-feed.ts';

const now = new Date('2026-08-30T00:00:00Z');
const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
const file = (key: string, more: object = {}) => ({
  format: 1,
  carrier: { key, name: key },
  version: '1',
  effective: { from: '2026-01-01' },
  programs: [{ id: 'all', policy_types: ['ho3'], states: ['fl'] }],
  ...more,
});
const suspended = {
  id: 'hurricane',
  when: {
    all: [
      {
        count: 'events',
        where: { all: [test('covers_home', 'equal', true), test('hours_since_end', 'lessThan', 24)] },
        operator: 'greaterThanInclusive',
        value: 1,
      },
    ],
  },
  message: 'Binding is suspended: {event}.',
};
const catalog = createCatalog([{ file: file('oak', { moratoria: [suspended] }) }, { file: file('elm') }]);

function eventsOf(...events: object[]): readonly HazardEvent[] {
  const parsed = parseHazardEvents(events);
  if (!parsed.ok) throw new Error(parsed.faults[0]!.message);
  return parsed.events;
}
const storm = (changes: object = {}) => ({
  id: 'al05',
  kind: 'hurricane',
  name: 'Elena',
  states: ['fl'],
  from: '2026-08-29T12:00:00Z',
  ...changes,
});

async function underwrite(hazardEvents?: HazardEventFeed) {
  const key = `lw_test_events12_${'0'.repeat(40)}`;
  const leeward = createLeeward({
    directory: createKeyHolder([{ token: key, scopes: ['underwrite'] }]),
    underwriting: { catalog, clock: () => now, ...(hazardEvents && { hazardEvents }) },
  });
  const response = await leeward.fetch(
    new Request('https://example.com/v1/underwrite/home', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'fl', policy_type: 'ho3' }),
    }),
  );
  const { carriers, declined, events, detail } = (await response.json()) as {
    carriers: { carrier_key: string; status: string; missing_fields: string[] }[];
    declined: { carrier_key: string; reasons: { message: string }[] }[];
    events?: { id: string }[];
    detail?: string;
  };
  if (response.status !== 200) return detail;
  const open = carriers.map(({ carrier_key, status, missing_fields }) =>
    [carrier_key, status, ...missing_fields].join(' '),
  );
  const closed = declined.map(({ carrier_key, reasons }) => `${carrier_key}: ${reasons[0]?.message}`);
  return { answers: [...open, ...closed].sort(), events: events?.map(({ id }) => id) };
}

describe('Underwriting with events', () => {
  it('closes and reopens a carrier, and names the events in force that its rules test', async () => {
    const feed = createMemoryHazardEvents();
    expect(await underwrite(feed)).toEqual({ answers: ['elm eligible', 'oak eligible'], events: undefined });
    feed.set(eventsOf(storm(), storm({ id: 'far', states: ['tx'] })));
    expect(await underwrite(feed)).toEqual({
      answers: ['elm eligible', 'oak: Binding is suspended: Hurricane Elena.'],
      events: ['al05'],
    });
    // Hours after the end still count, but the event is over.
    feed.set(eventsOf(storm({ until: '2026-08-29T20:00:00Z' })));
    expect(await underwrite(feed)).toMatchObject({ events: undefined });
    feed.set(eventsOf(storm({ until: '2026-08-29T12:00:01Z', from: '2026-08-28T12:00:00Z' })));
    expect(await underwrite(feed)).toMatchObject({ answers: ['elm eligible', expect.stringContaining('suspended')] });
    feed.set(eventsOf(storm({ until: '2026-08-28T23:00:00Z', from: '2026-08-28T12:00:00Z' })));
    expect(await underwrite(feed)).toEqual({ answers: ['elm eligible', 'oak eligible'], events: undefined });
  });

  it('needs information without a feed, or while the events are unknown', async () => {
    const unknown = { answers: ['elm eligible', 'oak needs_information events'], events: undefined };
    expect(await underwrite()).toEqual(unknown);
    const feed = createMemoryHazardEvents();
    feed.set(undefined);
    expect(await underwrite(feed)).toEqual(unknown);
  });

  it('is unavailable if the store of events cannot be read', async () => {
    const feed = createMemoryHazardEvents();
    const broken = { ...feed, current: () => Promise.reject(new Error('Out of reach.')) };
    expect(await underwrite(broken)).toContain('The store of hazard events');
  });
});

describe('Quotes with events', () => {
  const request = {
    teamId: 'team-1',
    formType: 'ho3',
    effectiveDate: '2026-09-01',
    fields: { state: 'FL' },
  } as unknown as CarrierRequest;
  const rulesOf = async () => catalog;
  const clock = () => now;

  it('are refused by a closed carrier, before it is called', async () => {
    const hazardEvents = createMemoryHazardEvents(eventsOf(storm()));
    const verdictOf = createVerdictSource({ rulesOf, hazardEvents, clock });
    expect(await verdictOf('oak', request)).toMatchObject({ status: 'ineligible', reasons: [{ code: 'moratorium' }] });
    expect((await verdictOf('elm', request)).status).toBe('eligible');
    hazardEvents.set([]);
    expect((await verdictOf('oak', request)).status).toBe('eligible');
  });

  it('have carriers that events alone close', async () => {
    const hazardEvents = createMemoryHazardEvents(eventsOf(storm()));
    const closures = createClosureSource({ rulesOf, hazardEvents, clock });
    expect(await closures.closuresOf(request)).toEqual([
      expect.objectContaining({ carrierKey: 'elm', state: 'open' }),
      expect.objectContaining({
        carrierKey: 'oak',
        state: 'closed',
        reasons: [expect.objectContaining({ code: 'moratorium' })],
      }),
    ]);
    const before = await closures.stamp();
    let changes = 0;
    const end = closures.subscribe(() => changes++);
    hazardEvents.set(eventsOf(storm()));
    expect([changes, await closures.stamp()]).toEqual([0, before]);
    hazardEvents.set(undefined);
    expect(await closures.closuresOf(request)).toBeUndefined();
    expect([changes, await closures.stamp()]).toEqual([1, undefined]);
    end();
  });
});
