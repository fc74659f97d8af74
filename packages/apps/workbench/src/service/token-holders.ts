import { effect, signal } from '@preact/signals';
import { type Answered, ask } from './ask.ts';
import { type Session, session } from './session.ts';
import type { WireTokenHolder } from './wire.ts';

/** Owners of the tokens, from the service: a link can claim anything. */
export interface TokenHolders {
  readonly first: WireTokenHolder;
  /** Holder of the quotes token, if it is another. */
  readonly team: WireTokenHolder | undefined;
}

export async function readTokenHolders(
  { token, teamToken }: Session,
  signal: AbortSignal,
): Promise<Answered<TokenHolders>> {
  const read = (of: string) => ask<WireTokenHolder>('/v1/token', undefined, { method: 'GET', token: of, signal });
  const [first, team] = await Promise.all([read(token), teamToken === undefined ? undefined : read(teamToken)]);
  if (!first.ok) return first;
  if (team?.ok === false) return team;
  return { ok: true, data: { first: first.data, team: team?.data } };
}

export interface SessionWords {
  readonly organization: string;
  readonly team: string | undefined;
  readonly environment: string | undefined;
  /** Name of the person who signed in. */
  readonly person: string | undefined;
}

export function describeHolders({ first, team }: TokenHolders, { organization: actsFor }: Session): SessionWords {
  const { organization, environment } = first;
  const named = organization === null ? 'Operator' : (organization.name ?? organization.organization_id);
  const isOther = actsFor !== undefined && actsFor !== organization?.organization_id;
  return {
    organization: isOther ? `${named}, for organization ${actsFor}` : named,
    team: teamOf(team, first) ?? teamOf(first, first),
    environment: environment ?? undefined,
    person: first.user?.name ?? undefined,
  };
}

/** A team, with its organization if it differs from the first token's. */
function teamOf(holder: WireTokenHolder | undefined, first: WireTokenHolder): string | undefined {
  if (holder === undefined || holder.team === null) return undefined;
  const { team, organization } = holder;
  const named = team.name ?? team.team_id;
  if (organization === null || organization.organization_id === first.organization?.organization_id) return named;
  return `${named} of ${organization.name ?? organization.organization_id}`;
}

/** Holders of the session's tokens; undefined until the service has answered. */
export const holders = signal<TokenHolders | undefined>(undefined);

effect(() => {
  const current = session.value;
  holders.value = undefined;
  if (current === undefined) return;
  const left = new AbortController();
  void readTokenHolders(current, left.signal).then((answer) => {
    if (answer.ok && !left.signal.aborted) holders.value = answer.data;
  });
  return () => left.abort();
});
