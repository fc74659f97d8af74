import { effect, signal } from '@preact/signals';
import { loadRuleSets } from '../evaluate/rule-sets.ts';
import { type Answered, ask, type Failure } from '../service/ask.ts';
import { visit } from '../service/session.ts';
import type { WireRegistry, WireVersion, WireWholeVersion } from '../service/wire.ts';

/** `refused` if the token may not administer rules. */
export type Registry =
  | { readonly state: 'idle' | 'loading' }
  | { readonly state: 'ready'; readonly status: WireRegistry; readonly versions: readonly WireVersion[] }
  | { readonly state: 'refused' | 'error'; readonly failure: Failure };

export const registry = signal<Registry>({ state: 'idle' });
export const reportVersion = signal<WireWholeVersion | undefined>(undefined);
export const failure = signal<Failure | undefined>(undefined);
export const confirmation = signal('');
export const isAtWork = signal(false);

const MAX_VERSIONS = 50;

/** The current registry stays visible meanwhile. */
export async function loadRegistry(): Promise<void> {
  if (registry.value.state !== 'ready') registry.value = { state: 'loading' };
  const [status, list] = await Promise.all([
    ask<WireRegistry>('/v1/admin/rule-sets/status', {}),
    ask<{ readonly items: readonly WireVersion[] }>('/v1/admin/rule-sets/list', { limit: MAX_VERSIONS }),
  ]);
  for (const answer of [status, list]) {
    if (answer.ok) continue;
    const { failure: problem } = answer;
    registry.value = { state: problem.status === 403 ? 'refused' : 'error', failure: problem };
    return;
  }
  if (status.ok && list.ok) registry.value = { state: 'ready', status: status.data, versions: list.data.items };
}

export async function openReport(rule_set_id: string): Promise<void> {
  const answer = await step(ask<WireWholeVersion>('/v1/admin/rule-sets/get', { rule_set_id }));
  if (answer.ok) reportVersion.value = answer.data;
}

/** Proposes a rule set or a stored version, and shows its report. Returns false if it was refused. */
export async function propose(sent: object): Promise<boolean> {
  if (isAtWork.value) return false;
  const answer = await step(ask<WireWholeVersion>('/v1/admin/rule-sets/propose', sent));
  if (!answer.ok) return false;
  confirmation.value = `${answer.data.carrier} ${answer.data.version} is proposed. Another person approves it.`;
  reportVersion.value = answer.data;
  location.hash = `#/sign-off?${new URLSearchParams({ version: answer.data.rule_set_id })}`;
  await loadRegistry();
  return true;
}

/** Time in which every process serves what was approved, in ms. */
const PUBLISHED_MS = 1500;

/** Approves or withdraws the reviewed revision. */
export async function decide(what: 'approve' | 'withdraw', why: string): Promise<void> {
  const current = reportVersion.value;
  if (current === undefined || isAtWork.value) return;
  const { rule_set_id, revision, carrier, version } = current;
  const reason = why.trim() === '' ? {} : what === 'approve' ? { note: why } : { why };
  const answer = await step(ask(`/v1/admin/rule-sets/${what}`, { rule_set_id, revision, ...reason }));
  if (answer.ok) confirmation.value = `${carrier} ${version} is ${what === 'approve' ? 'approved' : 'withdrawn'}.`;
  if (answer.ok) setTimeout(() => void loadRuleSets(), PUBLISHED_MS);
  // Also after a refusal: the revision may have changed.
  if (answer.ok || answer.failure.status === 409) {
    const again = await ask<WireWholeVersion>('/v1/admin/rule-sets/get', { rule_set_id });
    if (again.ok) reportVersion.value = again.data;
    await loadRegistry();
  }
}

async function step<Data>(asking: Promise<Answered<Data>>): Promise<Answered<Data>> {
  isAtWork.value = true;
  confirmation.value = '';
  const answer = await asking;
  isAtWork.value = false;
  failure.value = answer.ok ? undefined : answer.failure;
  return answer;
}

effect(() => {
  void visit.value;
  registry.value = { state: 'idle' };
  reportVersion.value = failure.value = undefined;
  confirmation.value = '';
});
