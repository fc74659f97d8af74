import { wordOf } from '@leeward/terms/words';
import { batch, effect, signal, untracked } from '@preact/signals';
import { ask } from '../service/ask.ts';
import { visit } from '../service/session.ts';
import { holders } from '../service/token-holders.ts';
import type { WireIndications } from '../service/wire.ts';
import { homeAnswers } from './quote-answers.ts';
import { canQuote, decision, failure } from './verdicts.ts';

type Indication = WireIndications['indications'][number];

/** By carrier and policy type. */
const indications = signal<ReadonlyMap<string, Indication>>(new Map());

/** Skip codes of the appointed carriers; undefined if they are not loaded. */
const carriers = signal<ReadonlyMap<string, string | null> | undefined>(undefined);

function clear(): void {
  indications.value = new Map();
  carriers.value = undefined;
}

/** Time without a change of the answers before a request. */
const REST_MS = 400;

/**
 * Requests indications for the carriers that accept the home. Rates belong to a team: they need a team’s token with the scope `quote`. The
 * returned function stops it.
 */
export function followIndications(): () => void {
  return effect(() => {
    const answers = homeAnswers.value;
    const types = new Set(
      decision.value?.carriers.flatMap((verdict) => (canQuote(verdict) ? [verdict.policy_type] : [])),
    );
    const { first, team = first } = holders.value ?? {};
    if (team?.team == null || !team.scopes.includes('quote') || failure.value !== undefined || types.size === 0) {
      clear();
      return undefined;
    }
    const gone = new AbortController();
    const timer = setTimeout(() => {
      void untracked(() => load([...types], answers, gone.signal));
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  });
}

async function load(forms: readonly string[], fields: object, signal: AbortSignal): Promise<void> {
  const body = { form_types: forms, fields };
  const answer = await ask<WireIndications>('/api/v1/quote/indications', body, { as: 'team', signal });
  if (signal.aborted) return;
  // Home reports its faults itself: without an answer there are no prices, and no carrier is skipped.
  if (!answer.ok) return clear();
  const keyed = <Item extends { readonly carrier_key: string; readonly form_type: string }>(item: Item) =>
    [`${item.carrier_key} ${item.form_type}`, item] as const;
  batch(() => {
    indications.value = new Map(answer.data.indications.map(keyed));
    carriers.value = new Map(
      answer.data.carriers.map(keyed).map(([key, { skip_code }]): [string, string | null] => [key, skip_code]),
    );
  });
}

/** `about $2,030 a year, indication`; with the range that the missing answers allow, if it is wide. */
export function priceWords(key: string): string | undefined {
  const indication = indications.value.get(key);
  if (indication === undefined) return undefined;
  const { premium, min, max } = indication;
  const range = Number(max) > Number(min) * 1.1 ? ` (${tens(min)} to ${tens(max)})` : '';
  return `about ${tens(premium)} a year, indication${range}`;
}

/** Why a quote would not call the carrier; undefined if it would, or before the service has answered. */
export function skipWords(key: string): string | undefined {
  const code = carriers.value?.has(key) === false ? 'carrier_not_appointed' : carriers.value?.get(key);
  return code == null ? undefined : wordOf('quoteSkip', code);
}

const tens = (amount: string) => `$${(Math.round(Number(amount) / 10) * 10).toLocaleString('en-US')}`;

// The next user must not see them.
effect(() => {
  void visit.value;
  clear();
});
