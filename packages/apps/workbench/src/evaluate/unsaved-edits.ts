import { effect, signal } from '@preact/signals';

export type EditingView = 'rules' | 'compare';

/** Names of edited texts, by view. */
const unsaved = signal<ReadonlyMap<EditingView, string>>(new Map());

/** Without a name, marks the text as saved. */
export function noteUnsaved(view: EditingView, name: string | undefined): void {
  const before = unsaved.peek();
  if (before.get(view) === name) return;
  const others = [...before].filter(([each]) => each !== view);
  unsaved.value = new Map(name === undefined ? others : [...others, [view, name]]);
}

/** Confirms with the user that edits of one view, or of all, may be discarded. */
export function mayDiscard(view?: EditingView): boolean {
  const names = [...unsaved.value].filter(([each]) => view === undefined || each === view).map(([, name]) => name);
  return (
    names.length === 0 ||
    confirm(`${names.join(' and ')} ${names.length === 1 ? 'has' : 'have'} edits that are not saved. Discard them?`)
  );
}

const ask = (event: Event) => event.preventDefault();

// Confirm before the page closes or reloads.
effect(() => {
  if (unsaved.value.size === 0) removeEventListener('beforeunload', ask);
  else addEventListener('beforeunload', ask);
});
