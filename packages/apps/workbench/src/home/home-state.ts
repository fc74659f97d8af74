import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { route, writeWords } from '../address/route.ts';
import { chosenLine, type FormLine, homeLine, lineNamed } from '../lines/served-lines.ts';
import { visit } from '../service/session.ts';
import { createLineForm, type LineForm, placeNames, type Typed, takeInto, typedOf } from './line-form.ts';

const forms = new Map<FormLine, LineForm>();

function formOf(line: FormLine): LineForm {
  const form = forms.get(line) ?? createLineForm(line);
  forms.set(line, form);
  return form;
}

/** The form of a home; other views use it too. */
export const homeForm = formOf(homeLine);
export const form = computed(() => formOf(chosenLine.value));

/** On a narrow screen the fields are folded if the page opened with a home, so that the answers follow at once. */
export const isFolded = signal(false);

/** The line of the address, if it is unknown or not loaded yet. */
export const missingLine = signal<string | undefined>(undefined);

/** Parameter of the address. Field names have no hyphens. */
const LINE = 'line-of-business';

/** Switches the line. Keeps the place, and restores the values typed there before. */
export function chooseLine(line: FormLine): void {
  const from = form.value.typed.value;
  const to = formOf(line);
  const place = Object.fromEntries(placeNames.flatMap((name) => (from[name] ? [[name, from[name]]] : [])));
  const otherEntries = Object.entries(to.typed.value).filter(
    ([name]) => !(placeNames as readonly string[]).includes(name),
  );
  batch(() => {
    missingLine.value = undefined;
    chosenLine.value = line;
    takeInto(to, { ...Object.fromEntries(otherEntries), ...place });
  });
}

export const exampleOf = ({ example }: FormLine): Typed =>
  Object.fromEntries(Object.entries(example).map(([name, value]) => [name, typedOf(value)]));

export const homeLink = computed(() => {
  const { typed } = homeForm;
  return `#/home?${new URLSearchParams(chosenLine.value === homeLine ? typed.value : { [LINE]: homeLine.line, ...typed.value })}`;
});

/** Fills the form from the link, then keeps the link up to date. The returned function stops it. */
export function followHome(): () => void {
  const endTaking = effect(() => {
    const { view, words } = route.value;
    if (view !== 'home' || words.size === 0) return;
    const { [LINE]: name = homeLine.line, ...given } = Object.fromEntries(words);
    const line = lineNamed(name);
    untracked(() =>
      batch(() => {
        missingLine.value = line ? undefined : name;
        if (line === undefined) return;
        chosenLine.value = line;
        takeInto(formOf(line), given);
        isFolded.value = true;
      }),
    );
  });
  const endWriting = effect(() => {
    // Keep the parameters of an unknown line in the address.
    if (missingLine.value !== undefined) return;
    const { line, typed } = form.value;
    writeWords('home', new URLSearchParams(line === homeLine ? typed.value : { [LINE]: line.line, ...typed.value }));
  });
  return () => {
    endTaking();
    endWriting();
  };
}

// The next user must not see this home.
effect(() => {
  void visit.value;
  missingLine.value = undefined;
  isFolded.value = false;
  // Fields that load later must not empty the forms.
  untracked(() => {
    for (const each of forms.values()) takeInto(each, {});
  });
});
