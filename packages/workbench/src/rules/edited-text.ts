import { signal } from '@preact/signals';

/** The rule set that is edited. It outlives the view: whoever looks at a home and comes back finds it. */
export const text = signal('');
/** The text as it was opened or saved last. */
export const saved = signal<string | undefined>(undefined);
export const fileName = signal('rule-set.json');

export const MAX_RULE_SET_BYTES = 10_000_000;

/** The cases beside it, and what their file is called. */
export const cases = signal<{ readonly name: string; readonly text: string } | undefined>(undefined);
