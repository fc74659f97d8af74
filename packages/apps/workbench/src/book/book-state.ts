import { effect, signal } from '@preact/signals';
import type { BookChange, EvaluatedBook } from '../evaluate/evaluator-messages.ts';
import { type Evaluator, openEvaluator } from '../evaluate/open-evaluator.ts';
import { download } from '../service/download.ts';
import { visit } from '../service/session.ts';
import type { WireRuleSets } from '../service/wire.ts';

/** The last dropped book. Outlives the view. */
export type BookState =
  | { readonly state: 'none' }
  | { readonly state: 'evaluating'; readonly file: File; readonly read: number }
  | { readonly state: 'evaluated'; readonly file: File; readonly book: EvaluatedBook; readonly asOf: string }
  | { readonly state: 'error'; readonly file: File; readonly message: string };

export const bookState = signal<BookState>({ state: 'none' });
export const effectiveDate = signal('');

let evaluator: Evaluator | undefined;
let evaluatorRules: WireRuleSets | undefined;
/** A caller with an older number stops waiting. */
let underWay = 0;

/** Discards the previous results. */
export async function evaluateFile(file: File, rules: WireRuleSets): Promise<void> {
  const number = ++underWay;
  if (evaluator === undefined || evaluatorRules !== rules) {
    evaluator?.close();
    evaluator = openEvaluator(rules);
    evaluatorRules = rules;
  }
  bookState.value = { state: 'evaluating', file, read: 0 };
  const asOf = new Date().toISOString();
  const question = { file, asOf, effectiveDate: effectiveDate.value || undefined };
  try {
    const book = await evaluator.ask('book', question, (read) => {
      if (number === underWay) bookState.value = { state: 'evaluating', file, read };
    });
    if (number === underWay) bookState.value = { state: 'evaluated', file, book, asOf };
  } catch (error) {
    if (number === underWay) bookState.value = { state: 'error', file, message: (error as Error).message };
  }
}

let comparing: Promise<unknown> = Promise.resolve();
let lastCompared = 0;

/**
 * Compares two versions over the current book, one comparison at a time.
 * @returns undefined without a book, or if a later call has replaced this one.
 * @throws an `Error` with a message for the user.
 */
export async function compareOverBook(versions: {
  readonly older: string;
  readonly newer: string;
}): Promise<BookChange | undefined> {
  const number = ++lastCompared;
  await comparing;
  const now = bookState.value;
  if (number !== lastCompared || evaluator === undefined || now.state !== 'evaluated') return undefined;
  const { file, asOf } = now;
  const answer = evaluator.ask('change', { file, asOf, effectiveDate: effectiveDate.value || undefined, ...versions });
  comparing = answer.catch(() => {});
  return await answer;
}

export function stopBook(): void {
  underWay += 1;
  evaluator?.close();
  evaluator = undefined;
  bookState.value = { state: 'none' };
}

export async function downloadBook(what: 'statuses' | 'rejects', name: string): Promise<void> {
  if (evaluator === undefined) return;
  const plain = name.replace(/\.\w+$/, '');
  const content = await evaluator.ask(what, null);
  download(content, what === 'statuses' ? `${plain}.statuses.csv` : `${plain}.rejects.ndjson`);
}

// The next user must not see this book.
effect(() => {
  void visit.value;
  stopBook();
});
