import { effect, signal, untracked } from '@preact/signals';
import { ask, type Trouble } from '../service/ask.ts';
import { session, visit } from '../service/session.ts';
import type { WireRuleSets } from '../service/wire.ts';
import type { Version } from './edited-text.ts';

/** The rules that the service judges by, where the token may read them. */
export type RuleSets =
  | { readonly state: 'unasked' | 'loading' }
  | { readonly state: 'there'; readonly rules: WireRuleSets }
  | { readonly state: 'refused' | 'broken'; readonly trouble: Trouble };

export const ruleSets = signal<RuleSets>({ state: 'unasked' });

let asking = new AbortController();

/** Asks for the rules, once for whoever is signed in; again where that failed and somebody says so. */
export async function loadRuleSets(): Promise<void> {
  const signedIn = untracked(() => session.value);
  if (signedIn === undefined) return;
  asking.abort();
  asking = new AbortController();
  const { signal: given } = asking;
  ruleSets.value = { state: 'loading' };
  const { organization } = signedIn;
  const path = `/v1/rule-sets/home${organization === undefined ? '' : `/${encodeURIComponent(organization)}`}`;
  const answer = await ask<WireRuleSets>(path, {}, { signal: given });
  if (given.aborted) return;
  if (answer.ok) ruleSets.value = { state: 'there', rules: answer.data };
  else {
    const { trouble } = answer;
    ruleSets.value = { state: trouble.status === 403 || trouble.status === 404 ? 'refused' : 'broken', trouble };
  }
}

/** What is in force of a carrier, as text. */
export function inForceOf(carrierKey: string, { carriers }: WireRuleSets): Version | undefined {
  const found = carriers.find(({ carrier_key }) => carrier_key === carrierKey)?.versions[0];
  return found && { name: `${carrierKey} ${found.version}, in force`, text: JSON.stringify(found.rule_set) };
}

/** Loads them for a view that wants them, where nobody has yet. */
export function wantRuleSets(): void {
  if (ruleSets.value.state === 'unasked') void loadRuleSets();
}

// Whoever signs in as another may read other rules.
effect(() => {
  void visit.value;
  asking.abort();
  ruleSets.value = { state: 'unasked' };
});
