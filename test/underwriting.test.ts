import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decisionSchema, type ProblemDocument, problemSchema, type WireDecision } from '@leeward/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './support/demo.ts';
import { workspace } from './support/running-leeward.ts';
import { smallCoastline } from './support/small-coastline.ts';

const path = '/v1/underwrite/home';
const harris = JSON.parse(readFileSync(join(workspace, 'fixtures/homes/harris-tx-1987-3-tab.json'), 'utf8')) as Record<
  string,
  unknown
>;
let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({
    environment: {
      ...smallCoastline,
      LEEWARD_RATE_LIMIT: '0',
      LEEWARD_REQUEST_TIMEOUT_MS: '0',
      LEEWARD_LOG_LEVEL: 'silent',
    },
  });
});
afterAll(() => demo.stop());

async function decide(home: object): Promise<WireDecision> {
  const response = await demo.post(path, home);
  const decision = (await response.json()) as WireDecision;
  expect({ status: response.status, decision }).toMatchObject({ status: 200 });
  expect(decisionSchema.strict().parse(decision)).toEqual(decision);
  return decision;
}

async function refuse(body: unknown, status = 422): Promise<ProblemDocument> {
  const response = await demo.post(path, body);
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return problemSchema.strict().parse(await response.json());
}

const all = (decision: WireDecision) => [...decision.carriers, ...decision.declined];

describe('policy types', () => {
  it.each(['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'])(
    '%s is offered by several carriers in Texas and in Florida',
    async (policyType) => {
      for (const [state, county] of [
        ['tx', 'harris'],
        ['fl', 'hillsborough'],
      ]) {
        const decision = await decide({ state, county, policy_type: policyType });
        expect(new Set(all(decision).map((verdict) => verdict.policy_type))).toEqual(new Set([policyType]));
        expect(all(decision).length).toBeGreaterThanOrEqual(2);
      }
    },
  );

  it.each([
    ['', undefined],
    ['HO-3', 'ho3'],
    [' Wind X ', 'x-wind'],
    ['ex wind', 'x-wind'],
    ['WIND ONLY', 'wind only'],
  ])('%j is understood', async (given, meant) => {
    const decision = await decide({ ...harris, policy_type: given });
    expect(decision.home['policy_type']).toBe(meant);
    const types = new Set(all(decision).map((verdict) => verdict.policy_type));
    if (meant === undefined) expect(types.size).toBe(7);
    else expect(types).toEqual(new Set([meant]));
  });
});

describe('a missing field', () => {
  it('never declines: without the roof, no carrier declines for it, and those that did request both fields', async () => {
    const withRoof = await decide(harris);
    const forRoof = withRoof.declined.filter(({ reasons }) => reasons.every(({ code }) => code === 'roof_age'));
    expect(forRoof.length).toBeGreaterThanOrEqual(2);
    const { roof_age, roof_type, ...bare } = harris;
    const without = await decide(bare);
    expect(without.declined.flatMap(({ reasons }) => reasons).filter(({ code }) => code === 'roof_age')).toEqual([]);
    for (const { carrier_key } of forRoof) {
      const now = without.carriers.find((verdict) => verdict.carrier_key === carrier_key);
      expect(now).toMatchObject({ status: 'needs_information' });
      expect(now?.missing_fields).toEqual(expect.arrayContaining(['roof_age', 'roof_type']));
    }
  });

  it('is what null and leaving out both mean', async () => {
    const nothing = {
      state: 'tx',
      roof_age: null,
      roof_type: null,
      county: null,
      policy_type: null,
      as_of: '2026-11-20T12:00:00Z',
    };
    const [explicit, left] = await Promise.all([
      decide(nothing),
      decide({ state: 'tx', as_of: '2026-11-20T12:00:00Z' }),
    ]);
    expect({ ...explicit, trace_id: '' }).toEqual({ ...left, trace_id: '' });
  });
});

describe('bad input', () => {
  it('reports every fault of a request in one answer', async () => {
    const { errors = [] } = await refuse({
      ...harris,
      rof_age: 3,
      year_built: 2999,
      dwelling_a: '250,000',
      usage: 'holiday',
      roof_type: null,
    });
    expect(errors.map((fault) => fault.path).sort()).toEqual([
      '/dwelling_a',
      '/rof_age',
      '/roof_type',
      '/usage',
      '/year_built',
    ]);
  });

  it.each([
    [{ state: 'tx', rof_age: 3 }, '/rof_age', /Did you mean "roof_age"\?/],
    [{ state: 'tx', roof_age: 3 }, '/roof_type', /required when roof_age is given/],
    [{ state: 'tx', roof_type: 'metal' }, '/roof_age', /required when roof_type is given/],
    [{ state: 'tx', year_built: new Date().getFullYear() + 2 }, '/year_built', /to \d{4}/],
    [{ state: 'tx', dwelling_a: '250,000' }, '/dwelling_a', /"250,000".*without separators/],
    [{ state: 'tx', structure_type: 'castle' }, '/structure_type', /"castle".*single family, townhouse, duplex/],
    [{ state: 'tx', policy_type: 'ho4' }, '/policy_type', /ho3, ho5, ho8, dp1, dp3, wind only, x-wind/],
    [{ state: 'texass' }, '/state', /"texass".*Did you mean "Texas"\?/i],
    [{}, '/state', /required/],
    [{ state: 'tx', total_claims: 1.5 }, '/total_claims', /whole number/],
    [{ state: 'tx', total_claims: -1 }, '/total_claims', /from 0 to 99/],
    [{ state: 'tx', address: '1 Main St', lat: 29.7, lng: -95.3 }, '/address', /not both/],
    [{ state: 'tx', as_of: 'yesterday' }, '/as_of', /"yesterday"/],
  ])('%j: the field, the value and the way out', async (body, at, message) => {
    const { errors = [] } = await refuse(body);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ path: at, message: expect.stringMatching(message) });
  });

  it('is a warning where a county is of another state: every list empty, every count 0', async () => {
    const decision = await decide({ ...harris, county: 'miami-dade' });
    expect(decision).toMatchObject({ carriers: [], declined: [], next_questions: [] });
    expect(new Set(Object.values(decision.counts))).toEqual(new Set([0]));
    expect(decision.warnings[0]).toMatchObject({ code: 'county_not_in_state', message: expect.stringContaining('fl') });
  });

  it('returns a distinct problem for invalid JSON, a large body, another media type, method or path', async () => {
    expect(await refuse('{"state": tx}', 400)).toMatchObject({ code: 'malformed_json' });
    expect(await refuse(`{"state": "tx", "x_note": "${'x'.repeat(256 * 1024)}"}`, 413)).toMatchObject({
      code: 'body_too_large',
    });
    const response = await demo.post(path, 'state=tx', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(response.status).toBe(415);
    expect((await fetch(`${demo.url}${path}`)).status).toBe(405);
    expect((await fetch(`${demo.url}${path}`, { method: 'POST' })).status).toBe(401);
    expect((await demo.post(`${path}/org_of_somebody`, harris)).status).toBe(404);
    expect((await demo.post('/v1/underwrite/flood', {})).status).toBe(501);
  });

  it('lets a host’s own notes pass', async () => {
    expect((await decide({ ...harris, x_note: { any: ['thing'] } })).home).not.toHaveProperty('x_note');
  });
});

describe('explain', () => {
  const homes = readdirSync(join(workspace, 'fixtures/homes'))
    .filter((_, index) => index % 6 === 0)
    .map(
      (name) => [name, JSON.parse(readFileSync(join(workspace, 'fixtures/homes', name), 'utf8')) as object] as const,
    );

  it.each(homes)('explains %s and what would change it: each change leads to the stated result', async (_, home) => {
    const asked = { ...home, as_of: '2026-11-20T12:00:00Z' };
    const [plain, explained] = await Promise.all([decide(asked), decide({ ...asked, explain: true })]);
    const bare = all(explained).map(({ explanation, would_change, ...verdict }) => verdict);
    expect(bare).toEqual(all(plain));
    for (const { status, reasons, explanation, would_change } of all(explained)) {
      const decided = new Set(explanation!.decided_by.map(({ rule_id }) => rule_id));
      for (const { rule_id } of reasons) expect(decided).toContain(rule_id);
      const truths = new Set(explanation!.decided_by.map(({ truth }) => truth));
      if (status === 'ineligible' || status === 'referral') expect(truths).toEqual(new Set(['true']));
      if (status === 'eligible') expect(truths).toEqual(new Set());
      expect(would_change !== undefined).toBe(status === 'ineligible' || status === 'referral');
    }
    const [first] = all(explained).filter(({ would_change }) => would_change?.outcome === 'ways');
    for (const { changes, becomes } of first?.would_change?.ways ?? []) {
      const changed = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
      const again = all(await decide({ ...asked, ...changed }));
      const verdict = again.find(
        ({ carrier_key, policy_type }) => carrier_key === first!.carrier_key && policy_type === first!.policy_type,
      );
      expect({ changed, status: verdict?.status }).toEqual({ changed, status: becomes });
    }
  });
});
