import { batch, effect, signal, untracked } from '@preact/signals';
import { ask, type Failure } from '../service/ask.ts';
import { visit } from '../service/session.ts';
import type { WireQuoteList } from '../service/wire.ts';

export type ListedQuote = WireQuoteList['quotes'][number];
export type StatusFilter = '' | ListedQuote['status'];

/** The pages loaded so far; undefined until the first. They outlive the view. */
export const listed = signal<WireQuoteList | undefined>(undefined);
export const listFailure = signal<Failure | undefined>(undefined);
export const isListing = signal(false);
export const statusFilter = signal<StatusFilter>('');
export const searchText = signal('');

let latest = 0;

/** Maximum number of quotes that a search covers, and of one page. */
const MAX_SEARCHED = 1_000;
const MAX_PAGE = 200;

/** Loads the first page, or the one after the loaded ones. The answer to an earlier call is discarded. */
export async function loadQuotes(cursor?: string): Promise<void> {
  const own = ++latest;
  isListing.value = true;
  const filter = statusFilter.value === '' ? {} : { status: statusFilter.value };
  const body = cursor === undefined ? filter : { ...filter, cursor, limit: MAX_PAGE };
  const answer = await ask<WireQuoteList>('/api/v1/quote/list', body, { as: 'team' });
  if (own !== latest) return;
  const earlier = cursor === undefined ? [] : (listed.value?.quotes ?? []);
  batch(() => {
    isListing.value = false;
    listFailure.value = answer.ok ? undefined : answer.failure;
    if (answer.ok) listed.value = { ...answer.data, quotes: [...earlier, ...answer.data.quotes] };
  });
}

/** While a search is on, older quotes are loaded too. */
effect(() => {
  const { next = null, quotes = [] } = listed.value ?? {};
  if (searchText.value.trim() === '' || next === null || quotes.length >= MAX_SEARCHED) return;
  if (!isListing.value && listFailure.value === undefined) void untracked(() => loadQuotes(next));
});

/** Loaded quotes that contain all words of the search. */
export function foundQuotes(quotes: readonly ListedQuote[]): readonly ListedQuote[] {
  const words = searchText.value.toLowerCase().split(/\s+/);
  return quotes.filter((quote) => {
    const text = searchedText(quote);
    return words.every((word) => text.includes(word));
  });
}

const searchedText = ({ insured, insured_initials, form_types, created_at, service_quote_id }: ListedQuote) =>
  [insured?.name, insured?.address, insured_initials, ...form_types, created_at.slice(0, 10), service_quote_id]
    .join(' ')
    .toLowerCase();

/** `1420 Larkspur Ave, Ocala, FL 34471`, or the initials if the token may not see the insured. */
export function homeOf({
  insured,
  insured_initials: initials,
}: Pick<ListedQuote, 'insured' | 'insured_initials'>): string {
  if (insured !== null && insured.address !== '') return insured.address;
  return initials === null || initials === '' ? 'Personal data erased' : `Home of ${[...initials].join('. ')}.`;
}

// The next user must not see them.
effect(() => {
  void visit.value;
  latest++;
  listed.value = listFailure.value = undefined;
  isListing.value = false;
  statusFilter.value = searchText.value = '';
});
