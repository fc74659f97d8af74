import { computed, effect, signal } from '@preact/signals';
import { route, writeWords } from '../address/route.ts';
import { visit } from '../service/session.ts';
import type { HomeField } from './home-field.ts';

declare const HOME_FIELDS: readonly HomeField[];

/** The fields of a home beside its place and policy, in the order of the engine. */
export const homeFields = HOME_FIELDS;

/** What a home may be told by, in the order in which its link and JSON have it. */
const placeNames = ['state', 'county', 'policy_type', 'effective_date', 'address', 'lat', 'lng'] as const;
const names: readonly string[] = [...placeNames, ...homeFields.map(({ name }) => name)];

/** Every field as it was typed, by its request name; one that was left empty is not there. */
export const typed = signal<Readonly<Record<string, string>>>({});

/** Fields whose value was left, not only begun: those stand among what is known. */
export const settled = signal<ReadonlySet<string>>(new Set());

/** The home as a request body. What is a number is written as one; what cannot be read goes as it is, for the service to name. */
export const homeRequest = computed<Readonly<Record<string, string | number>>>(() => {
  const entries = names.flatMap((name): [string, string | number][] => {
    const text = typed.value[name]?.trim() ?? '';
    if (text === '') return [];
    const isNumber = /^-?\d+(\.\d+)?$/.test(text) && name !== 'address' && name !== 'county';
    return [[name, isNumber ? Number(text) : text]];
  });
  return Object.fromEntries(entries);
});

export function typeField(name: string, text: string): void {
  const { [name]: _, ...others } = typed.value;
  typed.value = text === '' ? others : { ...others, [name]: text };
}

export function settleField(name: string): void {
  const isGiven = typed.value[name] !== undefined;
  if (settled.value.has(name) === isGiven) return;
  const next = new Set(settled.value);
  if (isGiven) next.add(name);
  else next.delete(name);
  settled.value = next;
}

/** Takes a whole home: one that a link held, or a change that was proposed. */
export function takeHome(home: Readonly<Record<string, string>>): void {
  const known = Object.fromEntries(names.flatMap((name) => (home[name] ? [[name, home[name]]] : [])));
  typed.value = known;
  settled.value = new Set(Object.keys(known));
}

/** The home of the link, where it holds one; from then on the link follows what is typed. */
export function followHome(): () => void {
  const endTaking = effect(() => {
    const { view, words } = route.value;
    if (view === 'home' && words.size > 0) takeHome(Object.fromEntries(words));
  });
  const endWriting = effect(() => {
    writeWords('home', new URLSearchParams(typed.value));
  });
  return () => {
    endTaking();
    endWriting();
  };
}

/** A home to begin with. */
export const exampleHome: Readonly<Record<string, string>> = {
  state: 'fl',
  county: 'miami-dade',
  policy_type: 'ho3',
  lat: '25.7825',
  lng: '-80.134',
  dwelling_a: '285000',
  year_built: '1987',
};

// Whoever signs in next finds nothing of it.
effect(() => {
  void visit.value;
  takeHome({});
});
