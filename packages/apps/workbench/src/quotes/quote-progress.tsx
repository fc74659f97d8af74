import { signal } from '@preact/signals';
import { CheckRow } from '../design/check-row.tsx';
import { FailureNotice } from '../service/failure-notice.tsx';
import type { WireComparison, WireQuote } from '../service/wire.ts';
import { cancelQuote, comparison, failure, quote } from './quote-state.ts';

export function QuoteProgress({ id, again }: { readonly id: string; readonly again: () => void }) {
  const now = quote.value;
  const bad = failure.value;
  return (
    <>
      {bad && <FailureNotice failure={bad} again={again} />}
      {!now && !bad && (
        <p class="panel soft" role="status">
          Looking for the quote …
        </p>
      )}
      {now && <Progress now={now} id={id} />}
      {comparison.value && comparison.value.rates.length > 0 && <SideBySide compared={comparison.value} now={now} />}
      {now && <Others now={now} />}
    </>
  );
}

function Progress({ now, id }: { readonly now: WireQuote; readonly id: string }) {
  const { processing, success, error } = now.counts;
  const all = processing + success + error;
  const isComplete = now.status === 'complete';
  return (
    <section class="panel stack-tight" aria-labelledby="quote-title">
      <div class="row between">
        <h2 id="quote-title">Quote {now.service_quote_id}</h2>
        <span class="row no-print">
          {!isComplete && (
            <button type="button" id="quote-cancel" onClick={() => void cancelQuote(id)}>
              Cancel
            </button>
          )}
          <button type="button" onClick={() => print()}>
            Print
          </button>
          <a class="button" href="#/quotes">
            A new quote
          </a>
        </span>
      </div>
      {!isComplete && <progress aria-labelledby="quote-title" max={Math.max(1, all)} value={all - processing} />}
      <p role="status">
        {isComplete
          ? `All ${all} carriers and form types have answered: ${success} with a premium, ${error} without.`
          : `${all - processing} of ${all} carriers and form types have answered.`}
        {now.min_quote !== null &&
          ` Premiums from ${dollars(now.min_quote)} to ${dollars(now.max_quote ?? now.min_quote)}.`}
      </p>
    </section>
  );
}

const isByCarrier = signal(false);
const worthWords = { indication: 'Indication', quoted: 'Quoted', bindable: 'Bindable' } as const;

function SideBySide({ compared, now }: { readonly compared: WireComparison; readonly now: WireQuote | undefined }) {
  const { lines, coverage_basis, basis_differences } = compared;
  const places = compared.rates.map((_, place) => place);
  if (isByCarrier.value)
    places.sort((a, b) => compared.rates[a]!.carrier.localeCompare(compared.rates[b]!.carrier, 'en-US'));
  const rates = places.map((place) => compared.rates[place]!);
  const links = new Map(now?.rates.map(({ id, carrier_quote_url }) => [id, carrier_quote_url]));
  return (
    <section class="panel stack-tight" aria-labelledby="quote-rates">
      <div class="row between">
        <h2 id="quote-rates">Premiums side by side</h2>
        <CheckRow label="By carrier" checked={isByCarrier} />
      </div>
      <p class={coverage_basis === 'same' ? 'small soft' : 'notice small'}>
        {coverage_basis === 'same'
          ? 'All are for the same form type, coverages and deductibles.'
          : coverage_basis === 'different'
            ? `These premiums are not for the same: ${basis_differences.map((each) => each.replace('/', ' ').replaceAll('_', ' ')).join(', ')} differ.`
            : 'Not every carrier lists what it covers: the premiums may not be for the same.'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Rates">
        <table class="rates">
          <thead>
            <tr>
              <th scope="col">
                <span class="only-heard">Property</span>
              </th>
              {rates.map(({ id, carrier, form_type }) => (
                <th key={id} scope="col" class="number">
                  {carrier} <span class="soft">{form_type.toUpperCase()}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Row title="Premium">
              {rates.map(({ id, premium }) => (
                <td key={id} class="number premium">
                  {dollars(premium)}
                </td>
              ))}
            </Row>
            <Row title="Worth">
              {rates.map(({ id, rate_type, outcome }) => (
                <td key={id} class="number">
                  {rate_type === null ? 'Not given' : worthWords[rate_type]}
                  {outcome === 'referred' && ', referred'}
                </td>
              ))}
            </Row>
            <Row title="Valid until">
              {rates.map(({ id, expires_at }) => (
                <td key={id} class="number">
                  {expires_at === null ? 'Not given' : expires_at.slice(0, 10)}
                </td>
              ))}
            </Row>
            <Row title="Subject to">
              {rates.map(({ id, subject_to }) => (
                <td key={id} class="number">
                  {subject_to.length === 0 ? '–' : subject_to.map(({ message }) => message).join(' ')}
                </td>
              ))}
            </Row>
            {lines.map((line) => (
              <CoverageRow key={`${line.section} ${line.code}`} line={line} compared={compared} places={places} />
            ))}
            <Row title="At the carrier">
              {rates.map(({ id, carrier }) => {
                const url = links.get(id);
                return (
                  <td key={id} class="number">
                    {url && /^https?:/.test(url) ? (
                      <a href={url} target="_blank" rel="noopener noreferrer">
                        Open<span class="only-heard"> {carrier}</span>
                      </a>
                    ) : (
                      '–'
                    )}
                  </td>
                );
              })}
            </Row>
          </tbody>
        </table>
      </section>
    </section>
  );
}

interface CoverageRowProps {
  readonly line: WireComparison['lines'][number];
  readonly compared: WireComparison;
  /** Positions of the rates, in the order of the columns. */
  readonly places: readonly number[];
}

function CoverageRow({ line, compared: { rates }, places }: CoverageRowProps) {
  const { section, name, requested_value, values, same, differs_from_request } = line;
  return (
    <Row
      title={name}
      hint={`${section}${requested_value === null ? '' : `, requested ${valueText(requested_value)}`}${same ? '' : ', differ'}`}
    >
      {places.map((place) => {
        const { id } = rates[place]!;
        const value = values[place];
        const isOther = differs_from_request.includes(id);
        return (
          <td key={id} class={`number${isOther ? ' differs' : ''}`}>
            {value == null ? '–' : valueText(value)}
            {isOther && (
              <>
                {' '}
                <span aria-hidden="true">≠</span>
                <span class="only-heard">differs from the request</span>
              </>
            )}
          </td>
        );
      })}
    </Row>
  );
}

function Row({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <tr>
      <th scope="row">
        {title}
        {hint && <span class="small soft block">{hint}</span>}
      </th>
      {children}
    </tr>
  );
}

/** Carriers without a premium, with their reasons. */
function Others({ now }: { readonly now: WireQuote }) {
  const others = now.rates.filter(({ premium }) => premium === null);
  if (others.length === 0) return null;
  return (
    <section class="panel stack-tight" aria-labelledby="quote-others">
      <h2 id="quote-others">Without a premium</h2>
      <ul class="findings">
        {others.map((rate) => (
          <li key={rate.id}>
            <p class="row between">
              <span>
                {rate.carrier} <span class="soft">{rate.form_type.toUpperCase()}</span>
              </span>
              <span class="soft">{outcomeOf(rate)}</span>
            </p>
            {rate.carrier_response_messages?.map(({ code, message }) => (
              <p class="small" key={`${code} ${message}`}>
                {message}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function outcomeOf(rate: WireQuote['rates'][number]): string {
  const outcome = 'outcome' in rate ? rate.outcome : null;
  return (outcome ?? (rate.status === 'processing' ? 'called, no answer yet' : 'no answer')).replaceAll('_', ' ');
}

function valueText(value: NonNullable<WireComparison['lines'][number]['requested_value']>): string {
  const { amount, percent, percent_of, inclusion, settlement } = value;
  const base = percent_of === null || percent_of === 'dwelling' ? '' : ` of ${percent_of}`;
  const size = percent === null ? amount && dollars(amount) : `${percent} %${base}`;
  const isImplied = inclusion === 'included' && size !== null;
  const parts = [size, isImplied ? null : inclusion, settlement].filter((part) => part !== null);
  return parts.join(', ').replaceAll('_', ' ');
}

function dollars(amount: string): string {
  const value = Number(amount);
  if (!Number.isFinite(value)) return amount;
  return value.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}
