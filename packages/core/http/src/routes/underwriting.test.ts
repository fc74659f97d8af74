import { describe, expect, it } from 'vitest';
import { ask, problemOf, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { decisionSchema, type WireDecision } from '../underwriting/decision-schema.ts';

const path = '/v1/underwrite/home';
const leeward = sampleService();
const home = {
  state: 'tx',
  county: 'harris',
  policy_type: 'ho3',
  year_built: 1987,
  roof_type: '3-tab shingle',
  roof_age: 22,
  total_claims: 1,
};

async function decide(body: object, at = path): Promise<WireDecision> {
  const response = await ask(leeward, at, { body });
  const decision = (await response.json()) as WireDecision;
  expect({ status: response.status, decision }).toMatchObject({ status: 200 });
  // The schema of the document is the shape of the answer, to the key.
  expect(decisionSchema.strict().parse(decision)).toEqual(decision);
  expect(decision.trace_id).toBe(response.headers.get('x-request-id'));
  const { engine, rules } = decision.versions!;
  expect(response.headers.get('leeward-versions')).toContain(`engine="${engine}", rules="${rules}"`);
  return decision;
}

async function faultsOf(body: unknown) {
  const response = await ask(leeward, path, { body });
  const { errors = [] } = await problemOf(response);
  expect(response.status).toBe(422);
  return errors;
}

describe('POST /v1/underwrite/home', () => {
  it('returns the verdict of every carrier with its reasons', async () => {
    const decision = await decide(home);
    expect(decision.counts).toEqual({ eligible: 1, referral: 0, needs_information: 0, ineligible: 1, not_offered: 0 });
    expect(decision.carriers).toMatchObject([
      {
        carrier_key: 'quarry',
        carrier: 'Quarry Home',
        policy_type: 'ho3',
        status: 'eligible',
        possible_statuses: ['eligible'],
        requirements: [{ code: 'four_point_inspection', rule_id: 'four-point' }],
        source: 'catalog',
      },
    ]);
    expect(decision.declined).toMatchObject([
      {
        carrier_key: 'bluestem',
        status: 'ineligible',
        reasons: [
          {
            code: 'roof_age',
            rule_id: 'roof',
            fields: ['roof_age', 'roof_type'],
            message: 'A 3-tab roof may be 15 years old; this one is 22.',
          },
        ],
      },
    ]);
    expect(decision).toMatchObject({
      as_of: '2026-11-20T12:00:00.000000Z',
      effective_date: '2026-11-20',
      organization_id: null,
      home,
      warnings: [],
      notice: 'Appetite only: not an offer, a quote or a binder.',
    });
  });

  it('gives the same answer to the home it echoes', async () => {
    const first = await decide({
      ...home,
      state: ' Texas ',
      county: 'Harris County',
      policy_type: 'HO-3',
      roof_age: '2004',
    });
    const again = await decide({ ...first.home, as_of: first.as_of, effective_date: first.effective_date });
    expect({ ...again, trace_id: '' }).toEqual({ ...first, trace_id: '' });
  });

  it('returns needs_information if the status depends on a missing field', async () => {
    const { roof_age, roof_type, ...bare } = home;
    const decision = await decide(bare);
    expect(decision.declined).toEqual([]);
    expect(decision.carriers[1]).toMatchObject({
      carrier_key: 'bluestem',
      status: 'needs_information',
      possible_statuses: ['eligible', 'ineligible'],
      missing_fields: ['roof_age', 'roof_type'],
    });
    expect(decision.next_questions.map(({ field }) => field).sort()).toEqual(['roof_age', 'roof_type']);
  });

  it('omits declined verdicts on request, but counts them', async () => {
    const decision = await decide({ ...home, include_declined: false });
    expect(decision.declined).toEqual([]);
    expect(decision.counts.ineligible).toBe(1);
  });

  it('lists who does not offer what, and why, when asked', async () => {
    const all = { ...home, policy_type: null };
    expect(await decide(all)).not.toHaveProperty('not_offered');
    const { not_offered, counts } = await decide({ ...all, include_not_offered: true });
    expect(not_offered).toHaveLength(counts.not_offered);
    expect(not_offered).toContainEqual({
      carrier_key: expect.any(String),
      carrier: expect.any(String),
      policy_type: expect.any(String),
      code: 'no_program',
    });
    const before = await decide({ ...home, effective_date: '1901-01-01', year_built: 1850, include_not_offered: true });
    expect(before.not_offered?.map(({ code }) => code)).toEqual(['no_version', 'no_version']);
    expect(before.counts.not_offered).toBe(2);
  });

  it('tells a moratorium as temporary, with its end', async () => {
    const decision = await decide({ state: 'fl', county: 'lee', policy_type: 'ho3', as_of: '2026-09-25T00:00:00Z' });
    expect(decision.declined[0]?.reasons).toEqual([
      {
        code: 'moratorium',
        message: 'Binding is suspended for the storm.',
        fields: expect.any(Array),
        rule_id: 'storm',
        temporary: true,
        ends_at: '2026-09-29T05:01:00.000000Z',
      },
    ]);
  });

  it.each(['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'])('evaluates %s separately', async (policyType) => {
    const decision = await decide({ ...home, policy_type: policyType });
    const verdicts = [...decision.carriers, ...decision.declined];
    expect(new Set(verdicts.map((verdict) => verdict.policy_type))).toEqual(new Set([policyType]));
    expect(verdicts.length + decision.counts.not_offered).toBe(2);
  });

  it.each([
    ['', undefined],
    ['HO-3', 'ho3'],
    [' Wind X ', 'x-wind'],
    [null, undefined],
  ])('reads policy type %j', async (given, meant) => {
    const decision = await decide({ ...home, policy_type: given });
    expect(decision.home['policy_type']).toBe(meant);
    const { counts } = decision;
    const all = counts.eligible + counts.referral + counts.needs_information + counts.ineligible + counts.not_offered;
    expect(all).toBe(meant === undefined ? 14 : 2);
  });

  it('answers nothing, with a warning, for a county of another state', async () => {
    const decision = await decide({ ...home, county: 'miami-dade' });
    expect(decision).toMatchObject({ carriers: [], declined: [], next_questions: [] });
    expect(Object.values(decision.counts)).toEqual([0, 0, 0, 0, 0]);
    expect(decision.warnings).toMatchObject([{ code: 'county_not_in_state', path: '/county' }]);
  });

  it('warns about an address without a geocoder', async () => {
    const decision = await decide({ ...home, address: '1 Main Street, Houston, TX 77002' });
    expect(decision.warnings).toMatchObject([{ code: 'distance_not_looked_up', path: '/address' }]);
  });

  it('names every fault at once, in the caller’s words', async () => {
    const errors = await faultsOf({
      rof_age: 3,
      dwelling_a: '250,000',
      year_built: 2100,
      roof_age: 12,
      usage: 'holiday',
      acreage: -1,
      total_claims: 1.5,
      policy_type: 'ho9',
      lat: 91,
      lng: 0,
      __proto__x: 1,
    });
    const byPath = new Map(errors.map(({ path: at, message }) => [at, message]));
    expect([...byPath.keys()].sort()).toEqual([
      '/__proto__x',
      '/acreage',
      '/dwelling_a',
      '/lat',
      '/policy_type',
      '/rof_age',
      '/roof_type',
      '/state',
      '/total_claims',
      '/usage',
      '/year_built',
    ]);
    expect(byPath.get('/rof_age')).toContain('Did you mean "roof_age"?');
    expect(byPath.get('/usage')).toContain('primary, secondary, seasonal, rental, vacant, other');
    expect(byPath.get('/dwelling_a')).toContain('"250,000"');
  });

  it.each([[[]], ['text'], [3], [null], [true]])('refuses %j for a body', async (body) => {
    const response = await ask(leeward, path, { body: JSON.stringify(body) });
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors).toMatchObject([{ path: '' }]);
  });

  it('keeps prototype keys for what they are: unknown keys', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString']) {
      const errors = await faultsOf(`{"state": "tx", ${JSON.stringify(key)}: {"state": "fl"}}`);
      expect(errors).toMatchObject([{ path: `/${key}`, code: 'unknown_field' }]);
    }
    expect(({} as Record<string, unknown>)['state']).toBeUndefined();
  });

  it('takes the last of a key given twice', async () => {
    const response = await ask(leeward, path, { body: '{"state": "fl", "state": "tx", "policy_type": "ho3"}' });
    expect(((await response.json()) as WireDecision).home['state']).toBe('tx');
  });
});

describe('POST /v1/underwrite/home/{organization_id}', () => {
  it('answers for the organization of the token', async () => {
    expect(await decide(home, `${path}/org_acme`)).toMatchObject({ organization_id: 'org_acme' });
  });

  it('tells the unknown, the malformed and another tenant’s apart in nothing', async () => {
    const answers = [];
    for (const [organization, token] of [
      ['org_acme', tokens.other],
      ['org_other', tokens.other],
      ['org_nobody', tokens.acme],
      ['%00', tokens.acme],
      ['%E0%A4%A', tokens.acme],
      ['x'.repeat(5000), tokens.acme],
      ["'; drop table organizations; --", tokens.acme],
    ] as const) {
      const response = await ask(leeward, `${path}/${organization}`, { token, body: home });
      const { request_id, ...problem } = await problemOf(response);
      expect(problem.status).toBe(404);
      answers.push(problem);
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('announced lines', () => {
  it.each(['renters', 'umbrella', 'renters/org_acme', 'umbrella/org_acme'])(
    'answers 501 once the token is good: %s',
    async (line) => {
      const response = await ask(leeward, `/v1/underwrite/${line}`, { body: { anything: 'at all' } });
      expect(response.status).toBe(501);
      expect((await problemOf(response)).code).toBe('coming_soon');
      expect((await ask(leeward, `/v1/underwrite/${line}`, { token: null })).status).toBe(401);
    },
  );
});

describe('items', () => {
  it('are the policy types of one request, and the entries that are explained', async () => {
    const leeward = sampleService({ itemLimit: { perMinute: 1, burst: 10 } });
    const items = async (body: object) => {
      const { status, headers } = await ask(leeward, '/v1/underwrite/home', { body });
      return [status, /"items-burst";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]];
    };
    expect(await items({ state: 'tx', policy_type: 'ho3' })).toEqual([200, undefined]);
    expect(await items({ state: 'tx' })).toEqual([200, '3']);
    expect(await items({ state: 'tx' })).toEqual([429, '3']);
    expect(await items({ state: 'tx', policy_type: 'ho3', explain: true })).toEqual([200, expect.any(String)]);
    expect((await items({ state: 'tx', policy_type: 'ho3', explain: true }))[0]).toBe(429);
  });
});
