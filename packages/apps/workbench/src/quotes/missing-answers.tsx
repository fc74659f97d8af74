import type { RequestField } from '@leeward/engine/vocabulary';
import { readWrittenNumber } from '@leeward/terms/numbers';
import { capitalized, writeWord } from '@leeward/terms/words';
import { useState } from 'preact/hooks';
import { dateInput } from '../design/date-input.ts';
import { homeLine } from '../lines/served-lines.ts';
import type { Failure } from '../service/ask.ts';
import { FailureNotice } from '../service/failure-notice.tsx';
import type { WireComparison } from '../service/wire.ts';
import { startRequote } from './quote-state.ts';

type Messages = WireComparison['rates'][number]['carrier_response_messages'];

/** Fields that an answer depends on. */
export const missingIn = (messages: Messages): readonly string[] =>
  (messages ?? []).flatMap(({ code, field }) => (code === 'missing_field' && field !== null ? [field] : []));

/** Fields for the answers that premiums depend on. Quotes again with them. */
export function MissingAnswers({ id, compared }: { readonly id: string; readonly compared: WireComparison }) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<Failure>();
  const counts = new Map<string, number>();
  for (const { carrier_response_messages: messages } of compared.rates)
    for (const name of missingIn(messages)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const fields = homeLine.fields
    .filter(({ name, kind }) => counts.has(name) && kind !== 'list' && kind !== 'set')
    .toSorted((a, b) => counts.get(b.name)! - counts.get(a.name)!);
  if (fields.length === 0) return null;
  const answers = fields.flatMap((field): [string, unknown][] => {
    const text = typed[field.name]?.trim() ?? '';
    return text === '' ? [] : [[field.name, readAnswer(field, text)]];
  });
  const ask = async (event: Event) => {
    event.preventDefault();
    const answer = await startRequote(id, Object.fromEntries(answers));
    setFailure(answer.ok ? undefined : answer.failure);
    if (answer.ok) location.hash = `#/quotes?${new URLSearchParams({ quote: answer.data.quote_request_id })}`;
  };
  return (
    <form class="panel stack-tight no-print" aria-labelledby="missing-title" onSubmit={(event) => void ask(event)}>
      <h2 id="missing-title">Answers that premiums depend on</h2>
      <p class="small soft">With these answers, carriers can replace indications by firm premiums.</p>
      {failure && <FailureNotice failure={failure} />}
      <div class="field-grid">
        {fields.map((field) => (
          <Answer
            key={field.name}
            field={field}
            count={counts.get(field.name)!}
            text={typed[field.name] ?? ''}
            take={(text) => setTyped({ ...typed, [field.name]: text })}
          />
        ))}
      </div>
      <p>
        <button type="submit" disabled={answers.length === 0}>
          Quote again with these answers
        </button>
      </p>
    </form>
  );
}

function readAnswer(field: RequestField, text: string): unknown {
  if (field.kind === 'number') return readWrittenNumber(text, { isWhole: field.integer }) ?? text;
  return field.kind === 'flag' ? text === 'true' : text;
}

interface AnswerProps {
  readonly field: RequestField;
  readonly count: number;
  readonly text: string;
  readonly take: (text: string) => void;
}

function Answer({ field, count, text, take }: AnswerProps) {
  const id = `missing-${field.name}`;
  const options =
    field.kind === 'word'
      ? field.words.map((word) => [word, capitalized(writeWord(word))])
      : field.kind === 'flag'
        ? [
            ['true', 'Yes'],
            ['false', 'No'],
          ]
        : undefined;
  return (
    <div class="field">
      <label for={id}>{capitalized(field.label)}</label>
      {options ? (
        <select id={id} value={text} onChange={({ currentTarget }) => take(currentTarget.value)}>
          <option value="">Choose</option>
          {options.map(([value, words]) => (
            <option key={value} value={value!}>
              {words}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          autocomplete="off"
          value={text}
          {...(field.kind === 'date' ? dateInput : { type: 'text' as const })}
          onInput={({ currentTarget }) => take(currentTarget.value)}
          {...(field.kind === 'number' ? { inputMode: 'decimal' as const, placeholder: field.unit ?? '' } : {})}
        />
      )}
      <p class="small soft">{count === 1 ? '1 premium' : `${count} premiums`}</p>
    </div>
  );
}
