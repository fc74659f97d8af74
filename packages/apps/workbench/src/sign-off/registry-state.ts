import { effect, signal } from '@preact/signals';
import { type Answered, ask, type Trouble } from '../service/ask.ts';
import { visit } from '../service/session.ts';
import type { WireRegistry, WireVersion, WireWholeVersion } from '../service/wire.ts';

/** Versions in force, pending and past; `refused` if the token may not administer rules. */
export type Registry =
  | { readonly state: 'unasked' | 'loading' }
  | { readonly state: 'there'; readonly status: WireRegistry; readonly versions: readonly WireVersion[] }
  | { readonly state: 'refused' | 'broken'; readonly trouble: Trouble };

export const registry = signal<Registry>({ state: 'unasked' });
/** The version whose sheet is shown. */
export const sheet = signal<WireWholeVersion | undefined>(undefined);
/** Failure of the last step. */
export const trouble = signal<Trouble | undefined>(undefined);
export const said = signal('');
export const isAtWork = signal(false);

const MAX_VERSIONS = 50;

/** Loads the registry. The current one stays visible meanwhile. */
export async function loadRegistry(): Promise<void> {
  if (registry.value.state !== 'there') registry.value = { state: 'loading' };
  const [status, list] = await Promise.all([
    ask<WireRegistry>('/v1/admin/rule-sets/status', {}),
    ask<{ readonly items: readonly WireVersion[] }>('/v1/admin/rule-sets/list', { limit: MAX_VERSIONS }),
  ]);
  for (const answer of [status, list]) {
    if (answer.ok) continue;
    const { trouble: found } = answer;
    registry.value = { state: found.status === 403 ? 'refused' : 'broken', trouble: found };
    return;
  }
  if (status.ok && list.ok) registry.value = { state: 'there', status: status.data, versions: list.data.items };
}

/** Loads a version for the approval report. */
export async function openSheet(rule_set_id: string): Promise<void> {
  const answer = await step(ask<WireWholeVersion>('/v1/admin/rule-sets/get', { rule_set_id }));
  if (answer.ok) sheet.value = answer.data;
}

/** Proposes a rule set or a stored version, which is reviewed, and shows its approval report. */
export async function propose(sent: object): Promise<void> {
  if (isAtWork.value) return;
  const answer = await step(ask<WireWholeVersion>('/v1/admin/rule-sets/propose', sent));
  if (!answer.ok) return;
  said.value = `${answer.data.carrier} ${answer.data.version} is proposed: somebody else approves it.`;
  sheet.value = answer.data;
  location.hash = `#/sign-off?${new URLSearchParams({ version: answer.data.rule_set_id })}`;
  await loadRegistry();
}

/** Approves the revision that was reviewed in the report, or withdraws it. */
export async function decide(what: 'approve' | 'withdraw', why: string): Promise<void> {
  const shown = sheet.value;
  if (shown === undefined || isAtWork.value) return;
  const { rule_set_id, revision, carrier, version } = shown;
  const reason = why.trim() === '' ? {} : what === 'approve' ? { note: why } : { why };
  const answer = await step(ask(`/v1/admin/rule-sets/${what}`, { rule_set_id, revision, ...reason }));
  if (answer.ok) said.value = `${carrier} ${version} is ${what === 'approve' ? 'approved' : 'withdrawn'}.`;
  // Also where it was refused: its revision may have risen.
  if (answer.ok || answer.trouble.status === 409) {
    const again = await ask<WireWholeVersion>('/v1/admin/rule-sets/get', { rule_set_id });
    if (again.ok) sheet.value = again.data;
    await loadRegistry();
  }
}

async function step<Data>(asking: Promise<Answered<Data>>): Promise<Answered<Data>> {
  isAtWork.value = true;
  said.value = '';
  const answer = await asking;
  isAtWork.value = false;
  trouble.value = answer.ok ? undefined : answer.trouble;
  return answer;
}

effect(() => {
  void visit.value;
  registry.value = { state: 'unasked' };
  sheet.value = trouble.value = undefined;
  said.value = '';
});
