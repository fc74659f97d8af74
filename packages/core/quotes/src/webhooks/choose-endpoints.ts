/** An endpoint with a delivery that is due. */
export interface DueEndpoint {
  readonly webhookId: string;
  readonly teamId: string;
  readonly failures: number;
}

interface Places {
  readonly max: number;
  readonly maxPerTeam: number;
}

/**
 * Chooses the endpoints to send to: those that are being sent to, then one of each team in turn, teams with the fewest first. Slow
 * endpoints of one team keep at most its places, so that others never wait for them.
 *
 * @param sending teams of the endpoints that are being sent to, by endpoint
 */
export function chooseEndpoints<Endpoint extends DueEndpoint>(
  due: readonly Endpoint[],
  sending: ReadonlyMap<string, string>,
  { max, maxPerTeam }: Places,
): Endpoint[] {
  const chosen = due.filter(({ webhookId }) => sending.has(webhookId));
  const counts = new Map<string, number>();
  for (const teamId of sending.values()) counts.set(teamId, (counts.get(teamId) ?? 0) + 1);
  const countOf = (teamId: string) => counts.get(teamId) ?? 0;
  const waiting = Map.groupBy(
    due.filter(({ webhookId }) => !sending.has(webhookId)),
    ({ teamId }) => teamId,
  );
  for (let free = max - sending.size; free > 0; free--) {
    const open = [...waiting].filter(([teamId, endpoints]) => endpoints.length > 0 && countOf(teamId) < maxPerTeam);
    if (open.length === 0) break;
    const [teamId, endpoints] = open.reduce((a, b) => (countOf(b[0]) < countOf(a[0]) ? b : a));
    chosen.push(endpoints.shift()!);
    counts.set(teamId, countOf(teamId) + 1);
  }
  return chosen;
}
