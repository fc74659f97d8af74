import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireDecision, WireVerdict } from '@leeward/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './support/demo.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { workspace } from './support/running-leeward.ts';
import { smallCoastline } from './support/small-coastline.ts';

const fixed = { as_of: '2026-11-20T12:00:00Z' };
const harris = JSON.parse(readFileSync(join(workspace, 'fixtures/homes/harris-tx-1987-3-tab.json'), 'utf8')) as object;
const broward = {
  ...harris,
  state: 'fl',
  county: 'broward',
  year_built: 2004,
  roof_type: 'tile',
  roof_age: 9,
  ...fixed,
};

type Appointment = {
  appointment_id: string;
  carrier_key: string;
  states: string[] | null;
  policy_types: string[] | null;
};

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ environment: { ...smallCoastline, LEEWARD_RATE_LIMIT: '0', LEEWARD_LOG_LEVEL: 'silent' } });
});
afterAll(() => demo.stop());

async function decide(home: object, ofAgency = true): Promise<WireDecision> {
  const response = await demo.post(`/v1/underwrite/home${ofAgency ? `/${demo.keys.organization_id}` : ''}`, home);
  expect(response.status).toBe(200);
  return (await response.json()) as WireDecision;
}

async function administer<T>(path: string, body: object = {}): Promise<T> {
  const headers = { authorization: `Bearer ${demo.keys.admin_token}` };
  const response = await demo.post(`/v1/admin/${path}`, body, headers);
  const answer = await response.json();
  expect({ path, status: response.status, answer }).toMatchObject({ status: 200 });
  return answer as T;
}

const appointments = async () => (await administer<{ items: Appointment[] }>('appointments/list')).items;
const all = ({ carriers, declined }: WireDecision) => [...carriers, ...declined];
const keyOf = (verdict: WireVerdict) => `${verdict.carrier_key} ${verdict.policy_type}`;
const keysOf = (verdicts: readonly WireVerdict[]) => verdicts.map(keyOf).sort();
const carriersOf = async (home: object = broward) => new Set(all(await decide(home)).map((each) => each.carrier_key));

/** Runs the command line on the demo's database. */
async function leeward(...words: string[]): Promise<Record<string, unknown>> {
  const environment = { LEEWARD_DATA_DIR: demo.dataFolder };
  const end = await runLeewardHere([...words, '--json'], { environment }).ended;
  expect(end).toMatchObject({ code: 0 });
  return JSON.parse(end.output) as Record<string, unknown>;
}

describe('the demo’s agency', () => {
  it.each([broward, { ...broward, policy_type: '' }, { ...harris, ...fixed }, { state: 'sc', ...fixed }])(
    'has exactly its appointed, added and tightened carriers ($state, type $policy_type)',
    async (home) => {
      const [everyone, agency, appointed] = await Promise.all([decide(home, false), decide(home), appointments()]);
      expect(everyone.organization_id).toBeNull();
      expect(agency.organization_id).toBe(demo.keys.organization_id);
      expect(new Set(all(everyone).map(({ source }) => source))).toEqual(new Set(['catalog']));
      const state = String(everyone.home['state']);
      const wanted = all(everyone).filter((verdict) =>
        appointed.some(
          ({ carrier_key, states, policy_types }) =>
            carrier_key === verdict.carrier_key &&
            (states?.includes(state) ?? true) &&
            (policy_types?.includes(verdict.policy_type) ?? true),
        ),
      );
      const ofCatalog = all(agency).filter(({ source }) => source !== 'organization');
      expect(keysOf(ofCatalog)).toEqual(keysOf(wanted));
      expect(wanted.length).toBeGreaterThan(0);
      expect(wanted.length).toBeLessThan(all(everyone).length);
      // Carriers that are neither added nor tightened are evaluated as for everyone.
      for (const verdict of ofCatalog.filter(({ source }) => source === 'catalog')) {
        expect(verdict).toEqual(all(everyone).find((each) => keyOf(each) === keyOf(verdict)));
      }
      const own = all(agency).filter(({ source }) => source === 'organization');
      expect(new Set(own.map((verdict) => verdict.carrier_key))).toEqual(
        new Set(state === 'tx' ? [] : ['palmetto_reciprocal']),
      );
      const tightened = ofCatalog.filter(({ source }) => source === 'override');
      expect(new Set(tightened.map((verdict) => verdict.carrier_key))).toEqual(
        new Set(state === 'fl' ? ['sawpalm_home'] : []),
      );
    },
  );

  it('tightens: its rule declines, and takes nothing back that the carrier declines', async () => {
    const verdict = async (age: number, ofAgency: boolean) =>
      all(await decide({ ...broward, water_heater_age: age }, ofAgency)).find(
        ({ carrier_key }) => carrier_key === 'sawpalm_home',
      )!;
    expect((await verdict(13, false)).reasons.map(({ rule_id }) => rule_id)).not.toContain('agency-water-heater');
    expect(await verdict(13, true)).toMatchObject({
      status: 'ineligible',
      source: 'override',
      reasons: expect.arrayContaining([expect.objectContaining({ rule_id: 'agency-water-heater' })]),
    });
    expect((await verdict(12, true)).status).toBe((await verdict(12, false)).status);
    const { declined } = await decide({ ...broward, water_heater_age: 13, explain: true });
    const explained = declined.find(({ carrier_key }) => carrier_key === 'sawpalm_home');
    expect(explained?.explanation?.decided_by.map(({ rule_id }) => rule_id)).toContain('agency-water-heater');
    expect(explained?.would_change?.ways.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ field: 'water_heater_age', to: 12 }),
    );
    const [ours, theirs] = [await verdict(40, true), await verdict(40, false)];
    for (const reason of theirs.reasons) expect(ours.reasons).toContainEqual(reason);
  });

  it('changes with the next request: an appointment, an override, an added carrier', async () => {
    const before = await decide(broward);
    const [taken] = (await appointments()).filter(({ carrier_key }) => carrier_key === 'brackish_bay');
    expect(await carriersOf()).toContain('brackish_bay');
    await administer('appointments/remove', { appointment_id: taken!.appointment_id });
    expect(await carriersOf()).not.toContain('brackish_bay');
    const elsewhere = await administer<Appointment & { revision: number }>('appointments/create', {
      carrier_key: 'brackish_bay',
      states: ['sc'],
    });
    expect(await carriersOf()).not.toContain('brackish_bay');
    await administer('appointments/update', { appointment_id: elsewhere.appointment_id, revision: 1, states: null });
    expect(await carriersOf()).toContain('brackish_bay');

    const { items } = await administer<{ items: { override_id: string }[] }>('overrides/list');
    const override = await administer<{ add_rules: object[]; carrier_key: string }>('overrides/remove', {
      override_id: items[0]!.override_id,
    });
    const sourceOf = async () =>
      all(await decide(broward)).find(({ carrier_key }) => carrier_key === 'sawpalm_home')?.source;
    expect(await sourceOf()).toBe('catalog');
    const { add_rules, carrier_key } = override;
    await administer('overrides/create', { carrier_key, add_rules });
    expect(await sourceOf()).toBe('override');

    const [own] = (
      await administer<{ items: { carrier_id: string; rule_set: object; revision: number }[] }>('carriers/list')
    ).items;
    const { carrier_id, rule_set, revision } = own!;
    await administer('carriers/update', { carrier_id, revision, rule_set: { ...rule_set, version: '2026.2' } });
    const changed = all(await decide(broward)).find(({ source }) => source === 'organization');
    expect(changed?.rule_set.version).toBe('2026.2');
    await administer('carriers/remove', { carrier_id });
    expect(await carriersOf()).not.toContain('palmetto_reciprocal');
    await administer('carriers/create', { rule_set });
    expect({ ...(await decide(broward)), trace_id: '' }).toEqual({ ...before, trace_id: '' });
  });

  it('changes with the next request where another process made the change', async () => {
    const { organization_id } = demo.keys;
    const before = await carriersOf();
    const other = all(await decide(broward, false)).find((verdict) => !before.has(verdict.carrier_key))!.carrier_key;
    const added = await leeward('appointment', 'add', other, '--organization', organization_id);
    expect(await carriersOf()).toEqual(new Set([...before, other]));
    await leeward('appointment', 'remove', String(added['appointment_id']));
    expect(await carriersOf()).toEqual(before);

    const made = await leeward('token', 'create', '--organization', organization_id, '--environment', 'demo');
    const headers = { authorization: `Bearer ${made['token']}` };
    const ask = async () => (await demo.post(`/v1/underwrite/home/${organization_id}`, broward, headers)).status;
    expect(await ask()).toBe(200);
    await leeward('token', 'revoke', String(made['token_id']));
    expect(await ask()).toBe(401);
  });
});
