import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAccounts } from '../accounts.ts';
import { createMemoryStore } from '../store/memory-store.ts';

const { administration } = createAccounts({ store: createMemoryStore() });

describe('The operations of administration', () => {
  it('are those of the contract, each at its path', () => {
    const paths = administration.operations.map((operation) => operation.path);
    const verbs = ['list', 'create', 'update', 'remove'];
    const resources = ['organizations', 'teams', 'producers', 'appointments', 'users', 'tokens'];
    const expected = resources.flatMap((resource) => verbs.map((verb) => `/v1/admin/${resource}/${verb}`));
    const others = ['tokens/rotate', 'audit/list', 'audit/heads'];
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
    const { request } = administration.appointments.update;
    expect(z.toJSONSchema(request, { io: 'input' }).required).toEqual(['appointment_id', 'revision']);
  });

  it('return no secret except the new token', () => {
    const answering = administration.operations.filter(({ response }) =>
      JSON.stringify(z.toJSONSchema(response, { io: 'output' })).match(/"(token|secret|secret_hash)":/),
    );
    expect(answering.map((operation) => operation.name)).toEqual(['tokens.create', 'tokens.rotate']);
  });
});
