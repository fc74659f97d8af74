import { effect, signal, untracked } from '@preact/signals';
import { ask, type Trouble } from '../service/ask.ts';
import { session, visit } from '../service/session.ts';
import type { WireRuleSets } from '../service/wire.ts';
import type { Version } from './edited-text.ts';

/** The rules of the service, if the token may read them. */
export type RuleSets =
  | { readonly state: 'unasked' | 'loading' }
  | { readonly state: 'there'; readonly rules: WireRuleSets }
  | { readonly state: 'refused' | 'broken'; readonly trouble: Trouble };

export const ruleSets = signal<RuleSets>({ state: 'unasked' });

let asking = new AbortController();

/** Loads the rules for the current session. Aborts an earlier load. */
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

/** Returns the version of a carrier that is in force, as text. */
export function inForceOf(carrierKey: string, { carriers }: WireRuleSets): Version | undefined {
  const found = carriers.find(({ carrier_key }) => carrier_key === carrierKey)?.versions[0];
  return found && { name: `${carrierKey} ${found.version}, in force`, text: JSON.stringify(found.rule_set) };
}

/** Loads the rules unless a view has already done so. */
export function wantRuleSets(): void {
  if (ruleSets.value.state === 'unasked') void loadRuleSets();
}

// Another user may read other rules.
effect(() => {
  void visit.value;
  asking.abort();
  ruleSets.value = { state: 'unasked' };
});
