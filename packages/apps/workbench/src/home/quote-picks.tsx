import { writeWord } from '@leeward/terms/words';
import { effect, signal } from '@preact/signals';
import { visit } from '../service/session.ts';
import type { WireDecision, WireVerdict } from '../service/wire.ts';
import { skipWords } from './indications.ts';
import { canQuote, keyOf } from './verdicts.ts';

/** Rows that the user ticked or cleared. The others are ticked if they are eligible. */
const choices = signal<ReadonlyMap<string, boolean>>(new Map());

// The next user starts anew.
effect(() => {
  void visit.value;
  choices.value = new Map();
});

/** True if the row has a box to tick. */
export const canPick = (verdict: WireVerdict): boolean => canQuote(verdict) && skipWords(keyOf(verdict)) === undefined;

const isPicked = (verdict: WireVerdict): boolean => choices.value.get(keyOf(verdict)) ?? verdict.status === 'eligible';

export function PickQuote({ verdict }: { readonly verdict: WireVerdict }) {
  return (
    <label class="pick">
      <input
        type="checkbox"
        checked={isPicked(verdict)}
        onChange={({ currentTarget }) => {
          choices.value = new Map([...choices.value, [keyOf(verdict), currentTarget.checked]]);
        }}
      />
      <span class="only-heard">
        Quote {verdict.carrier} {writeWord(verdict.policy_type)}
      </span>
    </label>
  );
}

/** Opens the form of a quote with the ticked carriers and their form types. */
export function QuotePicks({ answer }: { readonly answer: WireDecision }) {
  const candidates = answer.carriers.filter((verdict) => canPick(verdict));
  if (candidates.length === 0) return null;
  const picks = candidates.filter((verdict) => isPicked(verdict));
  if (picks.length === 0) return <p class="small soft">Tick the carriers to quote.</p>;
  const list = (values: readonly string[]) => [...new Set(values)].join(',');
  const forms = list(picks.map(({ policy_type }) => policy_type));
  const carriers = list(picks.map(({ carrier_key }) => carrier_key));
  return (
    <p>
      <a class="button main" href={`#/quotes?${new URLSearchParams({ new: '', forms, carriers })}`}>
        {picks.length === 1 ? 'Quote this one' : `Quote these ${picks.length}`}
      </a>
    </p>
  );
}
