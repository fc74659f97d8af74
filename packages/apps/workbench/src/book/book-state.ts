import { effect, signal } from '@preact/signals';
import type {
  BookChange,
  ChosenColumns,
  EvaluatedBook,
  ListedPolicies,
  PeekedBook,
  PolicySelection,
  PreviewRow,
} from '../evaluate/evaluator-messages.ts';
import { type Evaluator, openEvaluator } from '../evaluate/open-evaluator.ts';
import { download } from '../service/download.ts';
import { visit } from '../service/session.ts';
import type { WireRuleSets } from '../service/wire.ts';
import { areSettled, chosenColumns, startingColumns } from './column-choices.ts';

/** The last dropped book. Outlives the view. */
export type BookState =
  | { readonly state: 'none' }
  | { readonly state: 'opening'; readonly file: File }
  | { readonly state: 'mapping'; readonly file: File; readonly peeked: PeekedBook }
  | { readonly state: 'evaluating'; readonly file: File; readonly read: number }
  | {
      readonly state: 'evaluated';
      readonly file: File;
      readonly columns: ChosenColumns;
      readonly book: EvaluatedBook;
      readonly asOf: string;
    }
  | { readonly state: 'error'; readonly file: File; readonly message: string };

export const bookState = signal<BookState>({ state: 'none' });
export const effectiveDate = signal('');

let evaluator: Evaluator | undefined;
let evaluatorRules: WireRuleSets | undefined;
/** A caller with an older number stops waiting. */
let underWay = 0;

function evaluatorOf(rules: WireRuleSets): Evaluator {
  if (evaluator === undefined || evaluatorRules !== rules) {
    evaluator?.close();
    evaluator = openEvaluator(rules);
    evaluatorRules = rules;
  }
  return evaluator;
}

/**
 * Opens a book and discards the previous one. Evaluates it if its columns are known; otherwise the user chooses.
 * @param isAsked Chooses columns even if they are known. @default false
 */
export async function openBook(file: File, rules: WireRuleSets, isAsked = false): Promise<void> {
  const number = ++underWay;
  bookState.value = { state: 'opening', file };
  try {
    const peeked = await evaluatorOf(rules).ask('peek', file);
    if (number !== underWay) return;
    const columns = startingColumns(peeked);
    if (isAsked || !areSettled(peeked, columns)) bookState.value = { state: 'mapping', file, peeked };
    else await evaluateWith(file, chosenColumns(peeked, columns), rules);
  } catch (error) {
    if (number === underWay) bookState.value = { state: 'error', file, message: (error as Error).message };
  }
}

export async function previewRows(columns: ChosenColumns): Promise<readonly PreviewRow[]> {
  return (await evaluator?.ask('preview', columns)) ?? [];
}

export async function evaluateWith(file: File, columns: ChosenColumns, rules: WireRuleSets): Promise<void> {
  const number = ++underWay;
  bookState.value = { state: 'evaluating', file, read: 0 };
  const asOf = new Date().toISOString();
  const question = { file, asOf, effectiveDate: effectiveDate.value || undefined, columns };
  try {
    const book = await evaluatorOf(rules).ask('book', question, (read) => {
      if (number === underWay) bookState.value = { state: 'evaluating', file, read };
    });
    if (number === underWay) bookState.value = { state: 'evaluated', file, columns, book, asOf };
  } catch (error) {
    if (number === underWay) bookState.value = { state: 'error', file, message: (error as Error).message };
  }
}

export async function listPolicies(selection: PolicySelection): Promise<ListedPolicies | undefined> {
  return evaluator?.ask('policies', selection);
}

export async function downloadPolicies(selection: PolicySelection): Promise<void> {
  const now = bookState.value;
  if (evaluator === undefined || now.state !== 'evaluated') return;
  download(await evaluator.ask('policyFile', selection), `${plainName(now.book.name)}.policies.csv`);
}

const plainName = (name: string) => name.replace(/\.\w+$/, '');

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
  const { file, columns, asOf } = now;
  const question = { file, asOf, effectiveDate: effectiveDate.value || undefined, columns, ...versions };
  const answer = evaluator.ask('change', question);
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
  const plain = plainName(name);
  const content = await evaluator.ask(what, null);
  download(content, what === 'statuses' ? `${plain}.statuses.csv` : `${plain}.rejects.ndjson`);
}

// The next user must not see this book.
effect(() => {
  void visit.value;
  stopBook();
});
