import { effect, signal } from '@preact/signals';

/** Views that hold an edited text. */
export type EditingView = 'rules' | 'compare';

/** The name of the edited text of each view that has edits that are not saved. */
const unsaved = signal<ReadonlyMap<EditingView, string>>(new Map());

/** Marks the text of a view as edited; without a name, as saved. */
export function noteUnsaved(view: EditingView, name: string | undefined): void {
  const before = unsaved.peek();
  if (before.get(view) === name) return;
  const others = [...before].filter(([each]) => each !== view);
  unsaved.value = new Map(name === undefined ? others : [...others, [view, name]]);
}

/**
 * Confirms with the user that edits of one view, or of all views, may be discarded. True without edits.
 */
export function mayDiscard(view?: EditingView): boolean {
  const names = [...unsaved.value].filter(([each]) => view === undefined || each === view).map(([, name]) => name);
  return (
    names.length === 0 ||
    confirm(`${names.join(' and ')} ${names.length === 1 ? 'has' : 'have'} edits that are not saved. Discard them?`)
  );
}

const ask = (event: Event) => event.preventDefault();

// The browser confirms before it closes or reloads a page with unsaved edits.
effect(() => {
  if (unsaved.value.size === 0) removeEventListener('beforeunload', ask);
  else addEventListener('beforeunload', ask);
});
