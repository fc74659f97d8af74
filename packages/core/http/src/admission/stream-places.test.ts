import { expect, it } from 'vitest';
import type { Caller } from '../access/directory.ts';
import { Problem } from '../problem/problem.ts';
import { createStreamPlaces } from './stream-places.ts';

const callerOf = (organizationId: string, team: number): Caller => ({
  ...{ tokenId: `${organizationId}-${team}`, scopes: new Set(['quote']) },
  ...{ organizationId, teamId: `${organizationId}-team-${team}` },
});

/** Opens streams with every team of an organization until all are refused, and returns what frees those it got. */
function takeAll(places: ReturnType<typeof createStreamPlaces>, organizationId: string, teams: number) {
  const open: (() => void)[] = [];
  for (let team = 0; team < teams; team++) {
    const caller = callerOf(organizationId, team);
    for (;;) {
      try {
        open.push(places.take(caller, caller.teamId!));
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Problem);
        expect(thrown).toMatchObject({ code: 'rate_limited', options: { headers: { 'retry-after': '10' } } });
        break;
      }
    }
  }
  return open;
}

it('gives one organization a fifth of all streams, however many teams it has', () => {
  const places = createStreamPlaces('event streams', { maxPerTeam: 200, max: 5_000 });
  expect(takeAll(places, 'hostile', 50)).toHaveLength(1_000);
  expect(takeAll(places, 'late', 1)).toHaveLength(200);
});

it('admits a new organization when all places are taken, and refuses those that have an even share', () => {
  const limits = { maxPerTeam: 20, maxPerOrganization: 50, max: 100 };
  const places = createStreamPlaces('documents', limits);
  const first = takeAll(places, 'first', 10);
  expect(first).toHaveLength(50);
  expect(takeAll(places, 'second', 10)).toHaveLength(50);
  expect(takeAll(places, 'late', 10)).toHaveLength(33);
  for (const leave of first.slice(0, 10)) leave();
  expect(takeAll(places, 'first', 10)).toHaveLength(0);
});

it('frees a place once, of the team and of the organization', () => {
  const places = createStreamPlaces('documents', { maxPerTeam: 1, maxPerOrganization: 2, max: 10 });
  const [leave] = takeAll(places, 'one', 1);
  leave!();
  leave!();
  expect(takeAll(places, 'one', 5)).toHaveLength(2);
});
