import { describe, expect, it } from 'vitest';
import { chooseEndpoints, type DueEndpoint } from './choose-endpoints.ts';

const places = { max: 8, maxPerTeam: 3 };
const endpointsOf = (teamId: string, count: number): DueEndpoint[] =>
  Array.from({ length: count }, (_, index) => ({ webhookId: `${teamId}${index}`, teamId, failures: 0 }));
const ids = (endpoints: readonly DueEndpoint[]) => endpoints.map(({ webhookId }) => webhookId);

describe('endpoints that are chosen', () => {
  it('are all due endpoints if there are places', () => {
    expect(chooseEndpoints([], new Map(), places)).toEqual([]);
    expect(ids(chooseEndpoints(endpointsOf('a', 2), new Map(), places))).toEqual(['a0', 'a1']);
  });

  it('of a team with many endpoints leave places to other teams', () => {
    const hostile = endpointsOf('h', 100);
    expect(ids(chooseEndpoints(hostile, new Map(), places))).toEqual(['h0', 'h1', 'h2']);
    const sending = new Map(['h0', 'h1', 'h2'].map((id) => [id, 'h']));
    expect(ids(chooseEndpoints([...hostile.slice(3), ...endpointsOf('a', 1)], sending, places))).toEqual(['a0']);
  });

  it('are of each team in turn, if all teams have many', () => {
    const due = ['a', 'b', 'c', 'd'].flatMap((teamId) => endpointsOf(teamId, 10));
    const chosen = ids(chooseEndpoints(due, new Map(), places));
    expect(chosen.toSorted()).toEqual(['a0', 'a1', 'b0', 'b1', 'c0', 'c1', 'd0', 'd1']);
  });

  it('include endpoints in use, which need no further place', () => {
    const sending = new Map(endpointsOf('a', 8).map(({ webhookId, teamId }) => [webhookId, teamId]));
    expect(ids(chooseEndpoints([...endpointsOf('b', 1), ...endpointsOf('a', 1)], sending, places))).toEqual(['a0']);
  });
});
