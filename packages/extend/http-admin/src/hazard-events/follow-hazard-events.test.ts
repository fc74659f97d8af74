import { type Actor, createAccounts, createMemoryStore } from '@leeward/accounts';
import { createCatalog } from '@leeward/engine';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import { describe, expect, it } from 'vitest';
import { createRulesPort } from '../rule-sets/rules-port.ts';
import { followHazardEvents } from './follow-hazard-events.ts';

const host: Actor = { system: 'test' };
const atMs = Date.parse('2026-08-30T12:00:00Z');
const storm = (id: string, changes: object = {}) => ({
  id,
  kind: 'hurricane',
  states: ['fl'],
  from: '2026-08-29T12:00:00Z',
  ...changes,
});

const bowTie = {
  type: 'Polygon',
  coordinates: [
    [
      [-82, 27],
      [-80, 29],
      [-80, 27],
      [-82, 29],
      [-82, 27],
    ],
  ],
};

function open() {
  const store = createMemoryStore();
  const registry = createRegistry({
    accounts: createAccounts({ store, readOrganizationRules, now: () => atMs }),
    rules: createRulesPort(createCatalog([])),
  });
  const clock = { ms: 0 };
  const source = { reads: 0, isAway: false };
  const errors: unknown[] = [];
  const feed = followHazardEvents({
    stored: {
      async number() {
        source.reads++;
        if (source.isAway) throw new Error('Out of reach.');
        return registry.hazardEvents.number();
      },
      current: () => registry.hazardEvents.current(),
    },
    pollMs: 3_600_000,
    clock: () => clock.ms,
    now: () => atMs + clock.ms,
    onError: (error) => errors.push(error),
  });
  const ids = async () => (await feed.current()).events?.map(({ id }) => id);
  return { store, operations: registry.administration.hazardEvents, clock, source, errors, feed, ids };
}

describe('A feed of the operator’s events', () => {
  it('answers at once after a recent poll, and polls first otherwise', async () => {
    const { operations, clock, source, feed, ids } = open();
    await operations.post.run(host, { event: storm('a') });
    // A process that starts during a storm has it.
    await feed.start();
    feed.close();
    expect(await ids()).toEqual(['a']);
    await operations.post.run(host, { event: storm('b') });
    clock.ms += 1_500;
    const reads = source.reads;
    expect(feed.current()).not.toBeInstanceOf(Promise);
    expect(source.reads).toBe(reads);
    clock.ms += 1;
    const asked = [feed.current(), feed.current()];
    expect(asked[0]).toBeInstanceOf(Promise);
    const [first, second] = await Promise.all(asked);
    expect(first!.events!.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(second!.events).toBe(first!.events);
    expect(first!.asOfMs).toBe(atMs + 1_501);
    source.isAway = true;
    clock.ms += 2_000;
    await expect(feed.current()).rejects.toThrow('Out of reach.');
    source.isAway = false;
    expect(await ids()).toEqual(['a', 'b']);
  });

  it('notifies subscribers of changes only', async () => {
    const { operations, clock, feed, ids } = open();
    await feed.start();
    let changes = 0;
    feed.subscribe(() => changes++);
    const later = () => {
      clock.ms += 2_000;
      return ids();
    };
    await later();
    expect(changes).toBe(0);
    await operations.post.run(host, { event: storm('a') });
    await later();
    await operations.post.run(host, { event: storm('a') });
    await later();
    expect(changes).toBe(1);
    await operations.end.run(host, { event_id: 'a' });
    expect(await later()).toEqual(['a']);
    expect(changes).toBe(2);
    feed.close();
  });

  it('knows nothing if another version stored an event that it cannot read', async () => {
    const { store, operations, clock, errors, feed, ids } = open();
    await operations.post.run(host, { event: storm('a') });
    const record = (await store.reader.list('hazard_events', {}))[0]!;
    const event = { ...record.event, kind: 'meteor' };
    await store.write(async (writer) => {
      await writer.replace('hazard_events', { ...record, event });
    });
    await feed.start();
    feed.close();
    expect(await ids()).toBeUndefined();
    expect(feed.latest.problem).toContain('kind is "meteor"');
    clock.ms += 2_000;
    await ids();
    expect(errors).toHaveLength(1);
  });
});

describe('The check of an event', () => {
  it.each<[string, object, string]>([
    ['an end before its start', { until: '2026-08-29T11:00:00Z' }, '/event/until not_after'],
    ['an unknown kind', { kind: 'huricane' }, '/event/kind unknown_value'],
    ['an unknown county', { counties: ['99999'] }, '/event/counties/0 unknown_value'],
    ['a latitude out of range', { position: { latitude: 91, longitude: 0 } }, '/event/position/latitude out_of_range'],
    ['an area that crosses itself', { area: bowTie }, '/event/area crosses_itself'],
    ['an unknown field', { radius: 5 }, '/event/radius unknown_field'],
  ])('refuses %s', async (_, changes, fault) => {
    const { operations, feed } = open();
    const refused = await operations.post.run(host, { event: storm('a', changes) }).catch((error: unknown) => error);
    const { faults } = refused as { faults: { path: string; code: string; message: string }[] };
    expect(faults.map(({ path, code }) => `${path} ${code}`)).toEqual([fault]);
    expect(faults[0]!.message).toMatch(/\w+.*[;.]/);
    await feed.start();
    feed.close();
    expect(feed.latest.events).toEqual([]);
  });
});
