import { writeWord } from '@leeward/terms/words';
import { useEffect } from 'preact/hooks';
import type { Failure } from '../service/ask.ts';
import { FailureNotice } from '../service/failure-notice.tsx';
import type { WireQuoteList } from '../service/wire.ts';
import {
  foundQuotes,
  homeOf,
  isListing,
  type ListedQuote,
  listed,
  listFailure,
  loadQuotes,
  type StatusFilter,
  searchText,
  statusFilter,
} from './quote-list-state.ts';
import { premiumWords } from './quote-words.ts';
import { WatchedList } from './watched-list.tsx';

/** Quotes of the team, newest first. */
export function QuoteList() {
  useEffect(() => void loadQuotes(), []);
  const list = listed.value;
  const failure = listFailure.value;
  return (
    <>
      <div class="row between">
        <h1>Quotes</h1>
        <a class="button main" href="#/quotes?new=">
          New quote
        </a>
      </div>
      {failure &&
        (missingRight(failure) ?? (
          <FailureNotice
            failure={failure}
            again={() => {
              void loadQuotes();
            }}
          />
        ))}
      {!list && !failure && (
        <p class="panel soft" role="status">
          Loading the quotes …
        </p>
      )}
      {list && (
        <section class="panel stack" aria-label="List of quotes" aria-busy={isListing.value}>
          <Filters />
          <Rows list={list} />
          {list.next !== null && (
            <p>
              <button
                type="button"
                aria-disabled={isListing.value}
                onClick={() => isListing.value || void loadQuotes(list.next!)}
              >
                {isListing.value ? 'Loading …' : 'More quotes'}
              </button>
            </p>
          )}
        </section>
      )}
      {list && <WatchedList />}
    </>
  );
}

/** Undefined if the failure is not about the rights of the token. */
function missingRight({ status, errors }: Failure) {
  const isWhole = errors.some(({ path }) => path === '/team_id');
  if (status !== 403 && !isWhole) return undefined;
  return (
    <div class="notice" role="alert">
      <p>
        <strong>This token cannot list quotes.</strong> Quotes belong to a team: sign in with a team’s token in addition
        to yours{isWhole ? '.' : ', or with one that has the scope quote.'}
      </p>
    </div>
  );
}

function Filters() {
  return (
    <div class="row">
      <div class="field quote-search">
        <label for="quotes-search">Search</label>
        <input
          id="quotes-search"
          type={'search' as 'text'}
          autocomplete="off"
          spellcheck={false}
          placeholder="Address, name or form"
          value={searchText.value}
          onInput={({ currentTarget }) => {
            searchText.value = currentTarget.value;
          }}
        />
      </div>
      <div class="field">
        <label for="quotes-status">Status</label>
        <select
          id="quotes-status"
          value={statusFilter.value}
          onChange={({ currentTarget }) => {
            statusFilter.value = currentTarget.value as StatusFilter;
            void loadQuotes();
          }}
        >
          <option value="">All</option>
          <option value="processing">Waiting for carriers</option>
          <option value="complete">Complete</option>
        </select>
      </div>
    </div>
  );
}

function Rows({ list: { quotes, next } }: { readonly list: WireQuoteList }) {
  const matches = foundQuotes(quotes);
  const hidesInsured = quotes.some(({ insured, insured_initials }) => insured === null && insured_initials !== null);
  return (
    <>
      <p class="small soft" role="status">
        {quotes.length === 0
          ? statusFilter.value === ''
            ? 'No quotes yet.'
            : 'No quotes with this status.'
          : matches.length < quotes.length
            ? `${matches.length} of ${next === null ? '' : 'the newest '}${quotes.length.toLocaleString('en-US')} quotes match.`
            : `${quotes.length} ${quotes.length === 1 ? 'quote' : 'quotes'}, newest first.`}
        {hidesInsured && ' Initials only: this token lacks the scope insured, which shows names and addresses.'}
      </p>
      <ul class="quote-rows">
        {matches.map((quote) => (
          <Row key={quote.quote_request_id} quote={quote} />
        ))}
      </ul>
    </>
  );
}

function Row({ quote }: { readonly quote: ListedQuote }) {
  const { quote_request_id, insured, form_types, created_at, best_offer, counts } = quote;
  const all = counts.processing + counts.success + counts.error;
  return (
    <li>
      <span class="quote-home">
        <a href={`#/quotes?${new URLSearchParams({ quote: quote_request_id })}`}>{homeOf(quote)}</a>
        {insured !== null && insured.name !== '' && <span class="small soft">{insured.name}</span>}
      </span>
      <span>{form_types.map(writeWord).join(', ')}</span>
      <span class="quote-best">
        {best_offer === null ? (
          <span class="soft">No premium{counts.processing > 0 ? ' yet' : ''}</span>
        ) : (
          <>
            <strong>{premiumWords(best_offer.premium)}</strong>{' '}
            <span class="small soft">{best_offer.rate_type === 'indication' ? 'indication' : 'a year'}</span>
          </>
        )}
      </span>
      <span class={`status ${counts.processing > 0 ? 'status-needs_information' : 'status-not_offered'}`}>
        {counts.processing > 0
          ? `${all - counts.processing} of ${all} answered`
          : `${counts.success} of ${all} with a premium`}
      </span>
      <time class="small soft" dateTime={created_at}>
        {new Date(created_at).toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric' })}
      </time>
    </li>
  );
}
