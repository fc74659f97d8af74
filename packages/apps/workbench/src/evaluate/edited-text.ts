import { effect, signal } from '@preact/signals';
import { visit } from '../service/session.ts';
import { noteUnsaved } from './unsaved-edits.ts';

/** Outlives the view. */
export const text = signal('');
/** As opened or saved last. */
export const saved = signal<string | undefined>(undefined);
export const fileName = signal('rule-set.json');

const MAX_RULE_SET_BYTES = 10_000_000;

export interface Version {
  readonly name: string;
  readonly text: string;
}

/** If the file is too large, returns `refusal`, a message for the user. */
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

/** The editor shows it. Undoing there brings the earlier text back. */
export function editVersion({ name, text: newText }: Version): void {
  text.value = newText;
  saved.value = newText;
  fileName.value = name;
}

export const cases = signal<{ readonly name: string; readonly text: string } | undefined>(undefined);

// The next user must not see this text.
effect(() => {
  void visit.value;
  text.value = '';
  saved.value = cases.value = undefined;
  fileName.value = 'rule-set.json';
});

effect(() => {
  noteUnsaved('rules', text.value === (saved.value ?? '') ? undefined : fileName.value);
});
