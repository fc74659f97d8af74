import { createAccounts, createMemoryStore } from '@leeward/accounts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readOrganizationRules } from './organization-rules/read-organization-rules.ts';
import { createRegistry } from './registry.ts';
import { openTestAccounts } from './testing/describe-on-stores.ts';
import { testRules } from './testing/test-rules.ts';

const { administration } = openTestAccounts({ store: createMemoryStore() }).registry;

describe('The operations of the registry', () => {
  it('are those of the contract, each at its path', () => {
    const paths = administration.operations.map((operation) => operation.path);
    const verbs = ['list', 'create', 'update', 'remove'];
    const resources = ['carriers', 'overrides'];
    const expected = resources.flatMap((resource) => verbs.map((verb) => `/v1/admin/${resource}/${verb}`));
    const others: string[] = [];
    const steps = ['status', 'list', 'get', 'push', 'propose', 'approve', 'withdraw', 'rollback', 'replay'];
    others.push(...steps.map((step) => `rule-sets/${step}`));
    others.push('saved-decisions/list', 'saved-decisions/get');
    others.push(...['list', 'propose', 'approve', 'withdraw'].map((step) => `moratoria/${step}`));
    others.push(...['list', 'get', 'post', 'end', 'remove'].map((step) => `hazard-events/${step}`));
    expect(paths.sort()).toEqual([...expected, ...others.map((path) => `/v1/admin/${path}`)].sort());
  });

  it('document what they take and answer', () => {
    for (const { name, summary, request, response } of administration.operations) {
      const taken = z.toJSONSchema(request, { io: 'input' });
      expect(taken, name).toMatchObject({ type: 'object', additionalProperties: false });
      const answered = z.toJSONSchema(response, { io: 'output' });
      const named = answered.$defs?.[answered.$ref?.split('/').at(-1) ?? ''];
      expect(named ?? answered, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(summary).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('return no secret', () => {
    const answering = administration.operations.filter(({ response }) =>
      JSON.stringify(z.toJSONSchema(response, { io: 'output' })).match(/"(token|secret|secret_hash)":/),
    );
    expect(answering).toEqual([]);
  });
});

describe('A registry', () => {
  it('refuses accounts that do not read the rules of organizations', () => {
    const accounts = createAccounts({ store: createMemoryStore() });
    expect(() => createRegistry({ accounts, rules: testRules })).toThrow(/lack readOrganizationRules/);
    const whole = createAccounts({ store: createMemoryStore(), readOrganizationRules });
    expect(createRegistry({ accounts: whole, rules: testRules }).administration.operations.length).toBeGreaterThan(20);
  });
});
