import { effect, signal, untracked } from '@preact/signals';
import { ask, type Failure } from '../service/ask.ts';
import { session, visit } from '../service/session.ts';
import type { WireRuleSets } from '../service/wire.ts';
import type { Version } from './edited-text.ts';

export type RuleSets =
  | { readonly state: 'idle' | 'loading' }
  | { readonly state: 'ready'; readonly rules: WireRuleSets }
  | { readonly state: 'refused' | 'error'; readonly failure: Failure };

export const ruleSets = signal<RuleSets>({ state: 'idle' });

let asking = new AbortController();

/** Aborts an earlier load. */
export async function loadRuleSets(): Promise<void> {
  const signedIn = untracked(() => session.value);
  if (signedIn === undefined) return;
  asking.abort();
  asking = new AbortController();
  const { signal: abortSignal } = asking;
  ruleSets.value = { state: 'loading' };
  const { organization } = signedIn;
  const path = `/v1/rule-sets/home${organization === undefined ? '' : `/${encodeURIComponent(organization)}`}`;
  const answer = await ask<WireRuleSets>(path, {}, { signal: abortSignal });
  if (abortSignal.aborted) return;
  if (answer.ok) ruleSets.value = { state: 'ready', rules: answer.data };
  else {
    const { failure } = answer;
    ruleSets.value = { state: failure.status === 403 || failure.status === 404 ? 'refused' : 'error', failure };
  }
}

export function inForceOf(carrierKey: string, { carriers }: WireRuleSets): Version | undefined {
  const served = carriers.find(({ carrier_key }) => carrier_key === carrierKey);
  const inForce = served?.versions[0];
  return inForce && { name: `${served!.carrier} ${inForce.version}, in force`, text: JSON.stringify(inForce.rule_set) };
}

export function ensureRuleSets(): void {
  if (ruleSets.value.state === 'idle') void loadRuleSets();
}

// Another user may read other rules.
effect(() => {
  void visit.value;
  asking.abort();
  ruleSets.value = { state: 'idle' };
});
