import type { RequestField } from '@leeward/engine';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { FormLine } from '../lines/served-lines.ts';

/** What is typed in one line of business. */
export interface LineForm {
  readonly line: FormLine;
  /** Every field as it was typed, by its request name; one that was left empty is not there. */
  readonly typed: Signal<Typed>;
  /** Fields whose value was left, not only begun: those stand among what is known. */
  readonly settled: Signal<ReadonlySet<string>>;
  /** As a request body. What is a number is written as one; what cannot be read goes as it is, for the service to name. */
  readonly request: ReadonlySignal<Readonly<Record<string, unknown>>>;
}

export type Typed = Readonly<Record<string, string>>;

/** What says where it stands, and from when: the same in every line. */
export const placeNames = ['state', 'county', 'effective_date', 'address', 'lat', 'lng'] as const;

export function createLineForm(line: FormLine): LineForm {
  const typed = signal<Typed>({});
  const request = computed(() => {
    const kinds = new Map(line.fields.map(({ name, kind }) => [name, kind]));
    return Object.fromEntries(
      namesOf(line).flatMap((name): [string, unknown][] => {
        const text = typed.value[name]?.trim() ?? '';
        return text === '' ? [] : [[name, readTyped(text, kinds.get(name) ?? kindOfPlace(name))]];
      }),
    );
  });
  return { line, typed, settled: signal<ReadonlySet<string>>(new Set()), request };
}

/** What it may be told by, in the order in which its link and JSON have it. */
const namesOf = ({ fields }: FormLine): readonly string[] => [
  'state',
  'county',
  'policy_type',
  ...placeNames.slice(2),
  ...fields.map(({ name }) => name),
];

const kindOfPlace = (name: string) => (name === 'address' || name === 'county' ? 'word' : 'number');

function readTyped(text: string, kind: RequestField['kind']): unknown {
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  return kind === 'set' ? (readSet(text) ?? text) : text;
}

/** The words of a set, as the form holds them: a list in JSON; undefined for what is none. */
export function readSet(text: string): readonly string[] | undefined {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) ? words.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/** As the form would hold what a request says. */
export const typedOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

export function typeInto({ typed }: LineForm, name: string, text: string): void {
  const { [name]: _, ...others } = typed.value;
  typed.value = text === '' ? others : { ...others, [name]: text };
}

export function settleIn({ typed, settled }: LineForm, name: string): void {
  const isGiven = typed.value[name] !== undefined;
  if (settled.value.has(name) === isGiven) return;
  const next = new Set(settled.value);
  if (isGiven) next.add(name);
  else next.delete(name);
  settled.value = next;
}

/** Takes all of it: what a link held, an example, or a change that was proposed. */
export function takeInto({ line, typed, settled }: LineForm, given: Typed): void {
  const known = Object.fromEntries(namesOf(line).flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
  typed.value = known;
  settled.value = new Set(Object.keys(known));
}
