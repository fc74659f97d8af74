import { capitalized } from '@leeward/terms/words';
import { useId, useState } from 'preact/hooks';
import type { Failure } from '../service/ask.ts';
import { FailureNotice } from '../service/failure-notice.tsx';
import type { WireComparison } from '../service/wire.ts';
import { startRequote } from './quote-state.ts';
import { settlements } from './quote-words.ts';

type ComparedLine = WireComparison['lines'][number];
type Kind = 'percent' | 'settlement' | 'inclusion' | 'amount';

/** Lines whose value a request can choose. Coverage A is a field of the quote. */
const optionsOf = ({ lines }: WireComparison) =>
  lines.filter(({ section, code }) => section !== 'fees' && code !== 'dwelling');

function kindOf({ values, requested_value }: ComparedLine): Kind {
  const stated = [requested_value, ...values].filter((value) => value !== null);
  for (const kind of ['percent', 'settlement', 'inclusion'] as const) {
    if (stated.some((value) => value[kind] !== null)) return kind;
  }
  return 'amount';
}

const words = {
  settlement: Object.entries(settlements),
  inclusion: [
    ['included', 'included'],
    ['excluded', 'excluded'],
  ],
} as const;

const valueLabels: Readonly<Record<Kind, string>> = {
  percent: 'Percent of Coverage A',
  settlement: 'Settlement',
  inclusion: 'Included or excluded',
  amount: 'Amount (dollars)',
};

/** Quotes again with another option, for example a hurricane deductible of 5 %. */
export function Requote({ id, compared }: { readonly id: string; readonly compared: WireComparison }) {
  const options = optionsOf(compared);
  const usual = options.find(
    ({ section, values }) => section === 'deductibles' && values.some((each) => each?.percent),
  );
  const [code, setCode] = useState(usual?.code);
  const [value, setValue] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const valueId = useId();
  const option = options.find((each) => each.code === code) ?? options[0];
  if (option === undefined) return null;
  const kind = kindOf(option);
  const ask = async (event: Event) => {
    event.preventDefault();
    const number = Number(value.replace(/[\s$,%]/g, ''));
    const choice = (kind === 'percent' || kind === 'amount') && Number.isFinite(number) ? number : value;
    const answer = await startRequote(id, { requested_coverages: { [option.code]: { [kind]: choice } } });
    setFailure(answer.ok ? undefined : answer.failure);
    if (answer.ok) location.hash = `#/quotes?${new URLSearchParams({ quote: answer.data.quote_request_id })}`;
  };
  return (
    <form class="panel stack-tight no-print" aria-labelledby="requote-title" onSubmit={(event) => void ask(event)}>
      <h2 id="requote-title">What would it cost with …?</h2>
      {failure && <FailureNotice failure={failure} />}
      <div class="row proposal">
        <div class="field">
          <label for={`${valueId}-option`}>Coverage or deductible</label>
          <select
            id={`${valueId}-option`}
            value={option.code}
            onChange={({ currentTarget }) => {
              setCode(currentTarget.value);
              setValue('');
            }}
          >
            {options.map(({ code: each, name }) => (
              <option key={each} value={each}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={valueId}>{valueLabels[kind]}</label>
          {kind === 'settlement' || kind === 'inclusion' ? (
            <select id={valueId} required value={value} onChange={({ currentTarget }) => setValue(currentTarget.value)}>
              <option value="">Choose</option>
              {words[kind].map(([word, text]) => (
                <option key={word} value={word}>
                  {capitalized(text)}
                </option>
              ))}
            </select>
          ) : (
            <input
              id={valueId}
              required
              inputMode="decimal"
              autocomplete="off"
              placeholder={kind === 'percent' ? '5' : '2,500'}
              value={value}
              onInput={({ currentTarget }) => setValue(currentTarget.value)}
            />
          )}
        </div>
        <button type="submit">Quote again</button>
      </div>
      <p class="small soft">
        A new quote for the same home. Carriers that do not offer the option keep their usual one, marked ≠.
      </p>
    </form>
  );
}
