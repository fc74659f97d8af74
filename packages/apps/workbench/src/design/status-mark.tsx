import { type ShownStatus, statusWords } from './policy-statuses.ts';

/** Status by mark, word and colour: never by colour alone. */
export function StatusMark({ status, count }: { readonly status: ShownStatus; readonly count?: number }) {
  const { mark, word } = statusWords[status];
  return (
    <span class={`status status-${status}`}>
      <span aria-hidden="true">{mark}</span>
      {count === undefined ? (
        word
      ) : (
        <>
          {count.toLocaleString('en-US')} <span class="word">{word.toLowerCase()}</span>
        </>
      )}
    </span>
  );
}
