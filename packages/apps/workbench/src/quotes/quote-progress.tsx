import { wordOf, writeWord } from '@leeward/terms/words';
import { FailureNotice } from '../service/failure-notice.tsx';
import type { WireQuote } from '../service/wire.ts';
import { MissingAnswers } from './missing-answers.tsx';
import { Proposal } from './proposal.tsx';
import { carrierName } from './quote-form-state.ts';
import { homeOf } from './quote-list-state.ts';
import { cancelQuote, comparison, created, failure, quote } from './quote-state.ts';
import { dateWords } from './quote-words.ts';
import { Requote } from './requote.tsx';
import { SideBySide } from './side-by-side.tsx';

export function QuoteProgress({ id, again }: { readonly id: string; readonly again: () => void }) {
  const now = quote.value;
  const bad = failure.value;
  const compared = comparison.value;
  const hasRates = compared !== undefined && compared.rates.length > 0;
  return (
    <>
      <div>
        <p class="small no-print">
          <a href="#/quotes">All quotes</a>
        </p>
        <h1>{compared ? homeOf(compared) : 'Quote'}</h1>
      </div>
      {bad && <FailureNotice failure={bad} again={again} />}
      {!now && !bad && (
        <p class="panel soft" role="status">
          Looking for the quote …
        </p>
      )}
      {now && <Progress now={now} id={id} />}
      {hasRates && <SideBySide compared={compared} />}
      {now && <Others now={now} />}
      <NotCalled id={id} />
      {hasRates && now?.status === 'complete' && (
        <>
          <MissingAnswers key={`missing ${id}`} id={id} compared={compared} />
          <Requote key={`requote ${id}`} id={id} compared={compared} />
        </>
      )}
      {hasRates && <Proposal id={id} compared={compared} />}
    </>
  );
}

function Progress({ now, id }: { readonly now: WireQuote; readonly id: string }) {
  const { processing, success, error } = now.counts;
  const all = processing + success + error;
  const isComplete = now.status === 'complete';
  const compared = comparison.value;
  return (
    <section class="panel stack-tight" aria-labelledby="quote-title">
      <div class="row between">
        <h2 id="quote-title">{isComplete ? 'All carriers have answered' : 'Waiting for carriers'}</h2>
        <span class="row no-print">
          {!isComplete && (
            <button type="button" id="quote-cancel" onClick={() => void cancelQuote(id)}>
              Cancel
            </button>
          )}
          <a class="button" href="#/quotes?new=">
            New quote
          </a>
        </span>
      </div>
      {!isComplete && <progress aria-labelledby="quote-title" max={Math.max(1, all)} value={all - processing} />}
      <p role="status">
        {isComplete
          ? `${all} answers: ${success} with a premium, ${error} without.`
          : `${all - processing} of ${all} have answered.`}
      </p>
      <p class="small soft">
        {compared?.insured?.name && `${compared.insured.name}. `}
        {compared && `Policy from ${dateWords(compared.effective_date)}. `}Quote {now.service_quote_id}.
        {now.requote_of !== null && (
          <>
            {' '}
            Requote of an <a href={`#/quotes?${new URLSearchParams({ quote: now.requote_of })}`}>earlier quote</a>.
          </>
        )}
      </p>
    </section>
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
                {rate.carrier} <span class="soft">{writeWord(rate.form_type)}</span>
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

/** Carriers that the creation of the quote left out. */
function NotCalled({ id }: { readonly id: string }) {
  const skipped = created.value?.quote_request_id === id ? created.value.skipped : [];
  if (skipped.length === 0) return null;
  return (
    <section class="panel stack-tight" aria-labelledby="quote-not-called">
      <h2 id="quote-not-called">Not called</h2>
      <ul class="findings">
        {skipped.map(({ carrier_key, form_type, code }) => (
          <li key={`${carrier_key} ${form_type}`} class="row between">
            <span>
              {carrierName(carrier_key)} <span class="soft">{writeWord(form_type)}</span>
            </span>
            <span class="soft">{wordOf('quoteSkip', code)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function outcomeOf(rate: WireQuote['rates'][number]): string {
  const outcome = 'outcome' in rate ? rate.outcome : null;
  if (outcome !== null) return wordOf('quoteOutcome', outcome);
  return rate.status === 'processing' ? 'called, no answer yet' : 'no answer';
}
