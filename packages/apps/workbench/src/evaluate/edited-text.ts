import { effect, signal } from '@preact/signals';
import { visit } from '../service/session.ts';
import { noteUnsaved } from './unsaved-edits.ts';

/** The edited rule set. It outlives the view. */
export const text = signal('');
/** The text as it was opened or saved last. */
export const saved = signal<string | undefined>(undefined);
/** The undo history of the text, as the editor keeps it; undefined before the first edit. */
export const undoHistory = signal<unknown>(undefined);
export const fileName = signal('rule-set.json');

const MAX_RULE_SET_BYTES = 10_000_000;

/** A rule set as text, and what it is called. */
export interface Version {
  readonly name: string;
  readonly text: string;
}

/** Reads a file of rules or of cases. If it is too large, returns `refusal`, a message for the user. */
export async function readRuleSetFile(
  file: File,
  what = 'a rule set has',
): Promise<{ readonly version?: Version; readonly refusal?: string }> {
  const formatCount = (bytes: number) => bytes.toLocaleString('en-US');
  if (file.size > MAX_RULE_SET_BYTES)
    return {
      refusal: `${file.name} has ${formatCount(file.size)} bytes; ${what} at most ${formatCount(MAX_RULE_SET_BYTES)}.`,
    };
  return { version: { name: file.name, text: await file.text() } };
}

/** Edits another rule set and discards the current edits. Call `mayDiscard` first. */
export function editVersion({ name, text: newText }: Version): void {
  text.value = newText;
  saved.value = newText;
  fileName.value = name;
  undoHistory.value = undefined;
}

/** The cases of the rule set, with their file name. */
export const cases = signal<{ readonly name: string; readonly text: string } | undefined>(undefined);

// The next user must not see this text.
effect(() => {
  void visit.value;
  text.value = '';
  saved.value = cases.value = undoHistory.value = undefined;
  fileName.value = 'rule-set.json';
});

effect(() => {
  noteUnsaved('rules', text.value === (saved.value ?? '') ? undefined : fileName.value);
});
