import { writeWord } from '@leeward/terms/words';
import { effect, signal } from '@preact/signals';
import { ask, type Failure } from '../service/ask.ts';
import { visit } from '../service/session.ts';
import type { WireWatchedHomes } from '../service/wire.ts';

export type WatchedHome = WireWatchedHomes['watched_homes'][number];

/** The pages loaded so far; undefined until the first. */
export const watchedHomes = signal<WireWatchedHomes | undefined>(undefined);
export const watchFailure = signal<Failure | undefined>(undefined);

let latest = 0;

/** Loads the first page, or the one after the loaded ones. The answer to an earlier call is discarded. */
export async function loadWatchedHomes(cursor?: string): Promise<void> {
  const own = ++latest;
  const body = cursor === undefined ? {} : { cursor };
  const answer = await ask<WireWatchedHomes>('/api/v1/watched-homes/list', body, { as: 'team' });
  if (own !== latest) return;
  watchFailure.value = answer.ok ? undefined : answer.failure;
  if (!answer.ok) return;
  const earlier = cursor === undefined ? [] : (watchedHomes.value?.watched_homes ?? []);
  watchedHomes.value = { ...answer.data, watched_homes: [...earlier, ...answer.data.watched_homes] };
}

/** @returns the message for the user */
export async function watchHome(home: Readonly<Record<string, unknown>>): Promise<string> {
  const { as_of: _, ...rest } = home;
  const answer = await ask('/api/v1/watched-homes/create', { reference: nameOf(rest), home: rest }, { as: 'team' });
  if (answer.ok) return 'This home is watched. Changes appear under Quotes.';
  const { status, errors, detail } = answer.failure;
  if (status === 403) return 'Only a team’s token with the scope quote can watch homes.';
  return errors[0]?.message ?? detail;
}

export async function stopWatching({ watched_home_id }: WatchedHome): Promise<void> {
  const answer = await ask('/api/v1/watched-homes/remove', { watched_home_id }, { as: 'team' });
  // One that another person removed is gone too.
  if (answer.ok || answer.failure.status === 404) return loadWatchedHomes();
  watchFailure.value = answer.failure;
}

const MAX_REFERENCE_LENGTH = 200;

/** `1420 Larkspur Ave, Ocala FL 34471`, or `marion, FL, HO3`. */
function nameOf({ address, county, state, policy_type }: Readonly<Record<string, unknown>>): string {
  const type = typeof policy_type === 'string' ? writeWord(policy_type) : undefined;
  const parts = typeof address === 'string' ? [address] : [county, String(state).toUpperCase(), type];
  return parts
    .filter((part) => typeof part === 'string')
    .join(', ')
    .slice(0, MAX_REFERENCE_LENGTH);
}

// The next user must not see them.
effect(() => {
  void visit.value;
  latest++;
  watchedHomes.value = watchFailure.value = undefined;
});
