import type { Quotes } from '@leeward/quotes';
import { expect, it } from 'vitest';
import { ask, problemOf, sampleService } from '../../../../../../test/support/sample-service.ts';
import { createKeyHolder } from '../../access/key-holder.ts';
import type { ReadSavedHome } from './quoting-ports.ts';

const token = `lw_test_${'t'.repeat(26)}_${'k'.repeat(43)}`;
const directory = createKeyHolder([{ token, scopes: ['quote'], organizationId: 'org_acme', teamId: 'team-1' }]);
const home = { state: 'fl', county: 'marion', policy_type: 'ho3' };

const at = '2026-11-20T12:00:00.000000Z';
const none = { counts: null, last_change: null, quote_request_id: null, evaluated_at: null };
const view = { watched_home_id: 'w-1', ...none, created_at: at };

/** Returns the watched home as it was created. */
function service(savedHome?: ReadSavedHome) {
  const create = async (_teamId: string, request: object) => ({ ...view, watched_until: at, ...request });
  const quotes = { watchedHomes: { create } } as unknown as Quotes;
  const leeward = sampleService({ directory, quoting: { quotes, ...(savedHome && { savedHome }) } });
  return (body: object) => ask(leeward, '/api/v1/watched-homes/create', { token, body });
}

const readSaved: ReadSavedHome = async ({ organizationId, teamId }, id) =>
  organizationId === 'org_acme' && teamId === 'team-1' && id === 'd-1'
    ? { home, leftOut: ['county, because it was one of several'] }
    : undefined;

it('watches the home of a saved decision, and names the values that it lacks', async () => {
  const response = await service(readSaved)({ reference: 'a', decision_id: 'd-1', home: null });
  expect(await response.json()).toMatchObject({
    reference: 'a',
    home,
    warnings: [
      {
        path: '/decision_id',
        code: 'not_saved',
        message:
          'Unknown to the watched home: county, because it was one of several. Give home to watch it with this value.',
      },
    ],
  });
  expect(await (await service()({ reference: 'a', home })).json()).toMatchObject({ home, warnings: [] });
});

it.each([
  ['both', readSaved, { home, decision_id: 'd-1' }, 'one_of', 'give one of them'],
  ['neither', readSaved, {}, 'one_of', 'give home, or the decision_id'],
  ['an unknown decision', readSaved, { decision_id: 'd-2' }, 'unknown_decision', 'saved-decisions/list'],
  ['a decision where none are saved', undefined, { decision_id: 'd-1' }, 'not_supported', 'give home'],
])('refuses %s with the field and the way out', async (_, savedHome, body, code, message) => {
  const response = await service(savedHome)({ reference: 'a', ...body });
  expect(response.status).toBe(422);
  expect(await problemOf(response)).toMatchObject({
    errors: [{ path: '/decision_id', code, message: expect.stringContaining(message) }],
  });
});
