import { createAccounts, createMemoryStore } from '@leeward/accounts';
import { createLeeward } from '@leeward/http';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import { beforeEach, expect, it } from 'vitest';
import { sampleCatalog } from '../../../../../test/support/sample-catalog.ts';
import { createRulesPort } from '../rule-sets/rules-port.ts';
import { administrationRoutes } from './administration.ts';

const operatorToken = `lw_test_${'o'.repeat(26)}_${'k'.repeat(43)}`;
const BURST = 10;
const catalog = sampleCatalog();

let ask: (path: string, token: string, body: object) => Promise<{ status: number; body: Record<string, string> }>;
let admin = '';
beforeEach(async () => {
  const accounts = createAccounts({
    store: createMemoryStore(),
    readOrganizationRules,
    catalog: new Set(catalog.carriers.map(({ key }) => key)),
    operatorToken,
  });
  const registry = createRegistry({ accounts, rules: createRulesPort(catalog) });
  const operations = [...accounts.administration.operations, ...registry.administration.operations];
  const leeward = createLeeward({
    directory: accounts.directory,
    itemLimit: { perMinute: 60, burst: BURST },
    routes: [administrationRoutes({ operations })],
  });
  ask = async (path, token, body) => {
    const response = await leeward.fetch(
      new Request(`https://host.example/v1/admin/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const { body } = await ask('organizations/create', operatorToken, { name: 'Suncoast' });
  const { organization_id } = body;
  const token = await ask('tokens/create', operatorToken, { organization_id, scopes: ['admin'] });
  admin = token.body['token'] ?? '';
});

const rulesOf = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${prefix}-${index}`,
    outcome: 'decline',
    reason: 'dwelling',
    message: 'No.',
    when: { dwelling_a: { at_least: 100_000 + index } },
  }));
const ruleSet = (everywhere: number, inProgram: number) => ({
  format: 1,
  carrier: { key: 'own_mutual', name: 'Own Mutual' },
  line: 'home',
  version: '1',
  effective: { from: '2026-01-01', until: null },
  rules: rulesOf(everywhere, 'all'),
  programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'], rules: rulesOf(inProgram, 'fl') }],
});

it.each([
  ['of a rule set', 'carriers/create', { rule_set: ruleSet(BURST, 0) }],
  ['of its programs', 'carriers/create', { rule_set: ruleSet(4, BURST - 4) }],
  ['of an override', 'overrides/create', { carrier_key: 'bluestem', add_rules: rulesOf(BURST, 'more') }],
])('each rule %s is an item, counted before any is checked', async (_what, path, body) => {
  // The answer does not matter here; the limit is used up.
  expect((await ask(path, admin, body)).status).not.toBe(429);
  const refused = await ask(path, admin, { ...body, nothing: 'of this is looked at' });
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.body['detail']).toContain('10 more in');
  // Requests without rules are still admitted.
  expect((await ask('carriers/list', admin, {})).status).toBe(200);
});

it('accepts a rule set with more rules than the burst if the limit is unused', async () => {
  expect((await ask('carriers/create', admin, { rule_set: ruleSet(BURST + 5, 0) })).status).not.toBe(429);
  expect((await ask('carriers/create', admin, { rule_set: ruleSet(1, 0) })).status).toBe(429);
});
