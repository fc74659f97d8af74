import { recordDecision } from '@leeward/authoring/replay';
import { createCatalog, parseRequest } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { claimsRuleSet } from '../../../../../test/support/claims-rule-set.ts';
import { createSavedHomes } from './saved-homes.ts';

const home = { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 3 };
const caller = { tokenId: 't', scopes: new Set(['quote']), teamId: 'team-1' };

async function open(more: object = {}) {
  const parsed = parseRequest(home, { now: new Date('2026-11-20T12:00:00Z') });
  if (!parsed.ok) throw new Error('A home with faults.');
  const catalog = createCatalog([{ file: claimsRuleSet({ key: 'oak', version: '1' }) }]);
  const { record } = await recordDecision(catalog, parsed.request.property);
  return createSavedHomes({
    savedDecisions: {
      read: async (organizationId, id) =>
        organizationId === 'ours' && id === 'd-1' ? { ...record, ...more } : undefined,
    },
  });
}

describe('The home of a saved decision', () => {
  it('is read by its organization alone', async () => {
    const read = await open();
    expect(await read({ ...caller, organizationId: 'ours' }, 'd-1')).toEqual({ home, leftOut: [] });
    expect(await read({ ...caller, organizationId: 'ours' }, 'd-2')).toBeUndefined();
    expect(await read({ ...caller, organizationId: 'theirs' }, 'd-1')).toBeUndefined();
    expect(await read({ ...caller, organizationId: null }, 'd-1')).toBeUndefined();
  });

  it('is refused with the reason if it belongs to another line or version of the engine', async () => {
    for (const [more, code] of [
      [{ line: 'flood' }, 'other_line'],
      [{ engine: '99.0.0' }, 'engine_version'],
    ] as const) {
      const read = (await open(more))({ ...caller, organizationId: 'ours' }, 'd-1');
      await expect(read).rejects.toMatchObject({
        code: 'invalid_request',
        options: { errors: [{ path: '/decision_id', code, message: expect.stringContaining('Give home instead.') }] },
      });
    }
  });
});
