/** Statuses from best to worst. */
export const statusWords = {
  eligible: { mark: '✓', word: 'Eligible' },
  referral: { mark: '◆', word: 'Referral' },
  needs_information: { mark: '?', word: 'Needs information' },
  ineligible: { mark: '✕', word: 'Ineligible' },
  not_offered: { mark: '–', word: 'Not offered' },
} as const;
export type ShownStatus = keyof typeof statusWords;
export const shownStatuses = Object.keys(statusWords) as ShownStatus[];

/** Status by mark, word and colour: never by colour alone. */
export function StatusMark({ status, count }: { readonly status: ShownStatus; readonly count?: number }) {
  const { mark, word } = statusWords[status];
  return (
    <span class={`status status-${status}`}>
      <span aria-hidden="true">{mark}</span>
      {count === undefined ? word : `${count.toLocaleString('en-US')} ${word.toLowerCase()}`}
    </span>
  );
}
