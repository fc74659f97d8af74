import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { route } from '../address/route.ts';
import { FailureNotice } from '../service/failure-notice.tsx';
import { QuoteForm } from './quote-form.tsx';
import { loadReference, reference } from './quote-form-state.ts';
import { QuoteList } from './quote-list.tsx';
import { QuoteProgress } from './quote-progress.tsx';
import { failure, followQuote, forgetQuote } from './quote-state.ts';

/** Increases with each retry. */
const tries = signal(0);

/** The list of quotes, a quote, or the form. The address holds identifiers, but no personal data. */
export function QuotesView() {
  const { words } = route.value;
  const id = words.get('quote') ?? undefined;
  useEffect(() => {
    if (id !== undefined) return followQuote(id);
    forgetQuote();
    return undefined;
  }, [id, tries.value]);
  if (id !== undefined) return <QuoteProgress id={id} again={() => tries.value++} />;
  return words.has('new') ? <NewQuote words={words} /> : <QuoteList />;
}

function NewQuote({ words }: { readonly words: URLSearchParams }) {
  useEffect(() => {
    failure.value = undefined;
    void loadReference(words);
  }, [words]);
  return (
    <>
      <div>
        <p class="small">
          <a href="#/quotes">All quotes</a>
        </p>
        <h1>Get quotes</h1>
      </div>
      <Reference words={words} />
    </>
  );
}

function Reference({ words }: { readonly words: URLSearchParams }) {
  const now = reference.value;
  if (now.state === 'ready' && now.fields.length > 0) return <QuoteForm fields={now.fields} />;
  switch (now.state) {
    case 'refused':
      return (
        <div class="notice" role="alert">
          <p>
            <strong>This token cannot request quotes.</strong> Quotes belong to a team: sign in with a team’s token in
            addition to yours, or with one that has the scope quote.
          </p>
        </div>
      );
    case 'error':
      return <FailureNotice failure={now.failure} again={() => void loadReference(words)} />;
    default:
      return (
        <p class="panel soft" role="status">
          Loading the fields of a quote …
        </p>
      );
  }
}
