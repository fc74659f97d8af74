import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { route } from '../address/route.ts';
import { FailureNotice } from '../service/failure-notice.tsx';
import { QuoteForm } from './quote-form.tsx';
import { loadReference, reference } from './quote-form-state.ts';
import { QuoteProgress } from './quote-progress.tsx';
import { followQuote, forgetQuote } from './quote-state.ts';

/** Increases with each retry. */
const tries = signal(0);

/** The address holds the id of the quote, but no personal data. */
export function QuotesView() {
  const id = route.value.words.get('quote') ?? undefined;
  useEffect(() => {
    if (id !== undefined) return followQuote(id);
    forgetQuote();
    if (reference.value.state === 'idle') void loadReference();
    return undefined;
  }, [id, tries.value]);
  return (
    <>
      <h1>{id === undefined ? 'Get quotes' : 'Quotes'}</h1>
      {id === undefined ? <NewQuote /> : <QuoteProgress id={id} again={() => tries.value++} />}
    </>
  );
}

function NewQuote() {
  const now = reference.value;
  switch (now.state) {
    case 'ready':
      return <QuoteForm fields={now.fields} products={now.products} />;
    case 'refused':
      return (
        <div class="notice" role="alert">
          <p>
            <strong>This token cannot request quotes.</strong> Quotes belong to a team: sign in with a team’s token in
            addition to yours, or with one that has the scope <code>quote</code>.
          </p>
        </div>
      );
    case 'error':
      return <FailureNotice failure={now.failure} again={() => void loadReference()} />;
    default:
      return (
        <p class="panel soft" role="status">
          Asking what a quote takes …
        </p>
      );
  }
}
