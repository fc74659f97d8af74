import { faultsOf, refusal, system } from '@leeward/accounts/testing';
import { expect } from 'vitest';
import { describeOnStores, type World } from '../testing/describe-on-stores.ts';

type Json = Readonly<Record<string, unknown>>;

const DAY_MS = 86_400_000;

const storm = (changes: Json = {}) => ({
  id: 'al05-2026',
  kind: 'hurricane',
  name: 'Elena',
  position: { latitude: 27.1, longitude: -84.2 },
  from: '2020-01-01T00:00:00Z',
  until: null,
  ...changes,
});

const current = async ({ elsewhere }: World) => {
  const { number, events } = await elsewhere.registry.hazardEvents.current();
  return { number, ids: events.map((event) => (event as Json)['id']) };
};

describeOnStores('Hazard events of operators', (test) => {
  test('are posted, replaced by revision, ended and removed, each change counted once', async (world) => {
    const { hazardEvents, audit } = world.accounts.administration;
    expect(await current(world)).toEqual({ number: 0, ids: [] });
    const posted = await hazardEvents.post.run(system, { event: storm() });
    expect(posted).toMatchObject({ event_id: 'al05-2026', state: 'standing', revision: 1 });
    expect(await current(world)).toEqual({ number: 1, ids: ['al05-2026'] });
    // Posting it again without a change does nothing.
    expect(await hazardEvents.post.run(system, { event: storm() })).toEqual(posted);
    expect((await current(world)).number).toBe(1);
    const moved = storm({ position: { latitude: 28, longitude: -84 } });
    const withoutRevision = hazardEvents.post.run(system, { event: moved });
    expect(await refusal(withoutRevision)).toMatchObject({ code: 'conflict' });
    const second = await hazardEvents.post.run(system, { event: moved, revision: 1 });
    expect(second).toMatchObject({ revision: 2, event: moved });
    const ended = await hazardEvents.end.run(system, { event_id: 'al05-2026', revision: 2, why: 'Dissipated.' });
    expect(ended).toMatchObject({ state: 'ended', revision: 3 });
    // Rules with hours after the end still get it.
    expect(await current(world)).toEqual({ number: 3, ids: ['al05-2026'] });
    expect(await hazardEvents.end.run(system, { event_id: 'al05-2026' })).toEqual(ended);
    await hazardEvents.remove.run(system, { event_id: 'al05-2026' });
    expect(await current(world)).toEqual({ number: 4, ids: [] });
    expect(await refusal(hazardEvents.get.run(system, { event_id: 'al05-2026' }))).toMatchObject({ code: 'not_found' });
    const { items } = await audit.list.run(system, {});
    const actions = items.map(({ action }) => action).filter((action) => action.startsWith('hazard_events.'));
    expect(actions.sort()).toEqual(['end', 'post', 'remove', 'replace'].map((action) => `hazard_events.${action}`));
  });

  test('accept one of two operators who replace the same revision', async (world) => {
    const { accounts, elsewhere } = world;
    await accounts.administration.hazardEvents.post.run(system, { event: storm() });
    const replacing = [accounts, elsewhere].map(({ administration }, index) =>
      administration.hazardEvents.post.run(system, { event: storm({ name: `Storm ${index}` }), revision: 1 }),
    );
    const settled = await Promise.allSettled(replacing);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await current(world)).number).toBe(2);
  });

  test('accept one of two first posts with one id', async (world) => {
    const { accounts, elsewhere } = world;
    const posting = [accounts, elsewhere].map(({ administration }, index) =>
      administration.hazardEvents.post.run(system, { event: storm({ name: `Storm ${index}` }) }),
    );
    const settled = await Promise.allSettled(posting);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await current(world)).toEqual({ number: 1, ids: ['al05-2026'] });
  });

  test('are refused whole, with field, value and a way out', async (world) => {
    const { hazardEvents } = world.accounts.administration;
    const faults = async (event: Json) => faultsOf(await refusal(hazardEvents.post.run(system, { event })));
    expect(await faults(storm({ kind: 'blizard' }))).toEqual(['/event/kind unknown_kind']);
    const long = new Date(world.clock.ms - 367 * DAY_MS).toISOString();
    expect(await faults(storm({ until: long }))).toEqual(['/event/until event_over']);
    const far = new Date(world.clock.ms + 400 * DAY_MS).toISOString();
    expect(await faults(storm({ from: far }))).toEqual(['/event/from event_far_ahead']);
    expect(await current(world)).toEqual({ number: 0, ids: [] });
    await hazardEvents.post.run(system, { event: storm() });
    const early = hazardEvents.end.run(system, { event_id: 'al05-2026', until: '2019-12-31T00:00:00Z' });
    expect(faultsOf(await refusal(early))).toEqual(['/until ends_before_it_begins']);
  });

  test('leave the feed a year after their end, and stay in the store', async (world) => {
    const { hazardEvents } = world.accounts.administration;
    await hazardEvents.post.run(system, { event: storm({ until: new Date(world.clock.ms).toISOString() }) });
    world.clock.ms += 367 * DAY_MS;
    await hazardEvents.post.run(system, { event: storm({ id: 'next' }) });
    expect((await current(world)).ids).toEqual(['next']);
    const states = async (request: Json) =>
      (await hazardEvents.list.run(system, request)).items.map(({ event_id, state }) => `${event_id} ${state}`);
    expect(await states({})).toEqual(['next standing']);
    expect(await states({ include_past: true })).toEqual(['next standing', 'al05-2026 past']);
  });

  test('are for operators alone', async (world) => {
    const { administration } = world.accounts;
    const { admin } = world.ours;
    const { hazardEvents } = administration;
    await hazardEvents.post.run(system, { event: storm() });
    const attempts = [
      hazardEvents.list.run(admin, {}),
      hazardEvents.get.run(admin, { event_id: 'al05-2026' }),
      hazardEvents.get.run(admin, { event_id: 'unknown' }),
      hazardEvents.post.run(admin, { event: storm({ id: 'other' }) }),
      hazardEvents.end.run(admin, { event_id: 'al05-2026' }),
      hazardEvents.remove.run(admin, { event_id: 'al05-2026' }),
    ];
    for (const attempt of attempts) expect(await refusal(attempt)).toMatchObject({ code: 'forbidden' });
    const { items } = await administration.audit.list.run(admin, {});
    expect(items.filter(({ action }) => action.startsWith('hazard_events.'))).toEqual([]);
  });
});
