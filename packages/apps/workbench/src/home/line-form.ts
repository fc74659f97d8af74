import type { RequestField } from '@leeward/engine/vocabulary';
import { capitalized, wordOf } from '@leeward/terms/words';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type FormLine, linesFailed, otherLines } from '../lines/served-lines.ts';
import { readItems, writeItems } from './items.ts';
import { readNumber } from './written-value.ts';

export interface LineForm {
  readonly line: FormLine;
  /** Fields as typed, by request name; without empty ones. */
  readonly typed: Signal<Typed>;
  /** Typed values; numbers in people's notation. The service reports those that cannot be read. */
  readonly values: ReadonlySignal<Readonly<Record<string, unknown>>>;
  /** Unanswered fields that another answer requires, with the name of that answer. */
  readonly missing: ReadonlySignal<ReadonlyMap<string, string>>;
  /** The request body: `values` without incomplete pairs, with their evidence. */
  readonly request: ReadonlySignal<Readonly<Record<string, unknown>>>;
}

export type Typed = Readonly<Record<string, string>>;

export const placeNames = ['state', 'county', 'effective_date', 'address', 'lat', 'lng'] as const;

export function createLineForm(line: FormLine): LineForm {
  const typed = signal<Typed>({});
  const values = computed(() => {
    const fields = new Map(line.fields.map((field) => [field.name, field]));
    return Object.fromEntries(
      namesOf(line).flatMap((name): [string, unknown][] => {
        const text = typed.value[name]?.trim() ?? '';
        return text === '' ? [] : [[name, readTyped(text, fields.get(name) ?? { kind: kindOfPlace(name) })]];
      }),
    );
  });
  const missing = computed(
    () =>
      new Map(
        line.givenTogether.flatMap(([a, b]): [string, string][] => {
          const [hasA, hasB] = [a in values.value, b in values.value];
          return hasA === hasB ? [] : [hasA ? [b, a] : [a, b]];
        }),
      ),
  );
  const request = computed(() => {
    const incomplete = new Set(missing.value.values());
    return Object.fromEntries(
      Object.entries(values.value).flatMap(([name, value]): [string, unknown][] =>
        incomplete.has(name) ? [] : [[name, withEvidence(name, value, typed.value)]],
      ),
    );
  });
  return { line, typed, values, missing, request };
}

/** Parts of the evidence of an answer. The form holds them as `roof_age.as_of`. */
export const evidenceParts = ['as_of', 'source'] as const;
export type EvidencePart = (typeof evidenceParts)[number];

/** The field and the part of a name such as `roof_age.as_of`; undefined for other names. */
export function splitEvidence(name: string): { readonly field: string; readonly part: EvidencePart } | undefined {
  const [field = '', written] = name.split('.');
  const part = evidenceParts.find((each) => each === written);
  return part && { field, part };
}

/** The value, or the value with its evidence. */
function withEvidence(name: string, value: unknown, typed: Typed): unknown {
  const evidence = evidenceParts.flatMap((part): [string, string][] => {
    const text = typed[`${name}.${part}`]?.trim() ?? '';
    return text === '' ? [] : [[part, text]];
  });
  return evidence.length === 0 ? value : { value, ...Object.fromEntries(evidence) };
}

const namesOf = ({ fields }: FormLine): readonly string[] => [
  'state',
  'county',
  'policy_type',
  ...placeNames.slice(2),
  ...fields.map(({ name }) => name),
];

const kindOfPlace = (name: string) => (name === 'lat' || name === 'lng' ? 'number' : 'word');

/** The value of a field, or its text, so that the service can report the fault. */
function readTyped(
  text: string,
  field: RequestField | { readonly kind: 'number' | 'word'; readonly unit?: string },
): unknown {
  const { kind } = field;
  if ('fields' in field) return writeItems(readItems(text), field.fields) ?? text;
  if (kind === 'number') return readNumber(text, field) ?? text;
  if (kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  return kind === 'set' ? (readSet(text) ?? text) : text;
}

/** Parses a set from JSON; undefined if it is not a list. */
export function readSet(text: string): readonly string[] | undefined {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) ? words.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/** A value as the form holds it. */
export const typedOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

export function typeInto({ typed }: LineForm, name: string, text: string): void {
  const { [name]: _, ...others } = typed.value;
  typed.value = text === '' ? others : { ...others, [name]: text };
}

/** Replaces all values. Keeps those of other names while fields of the line may be missing: a link can be faster than the fields. */
export function takeInto({ line, typed }: LineForm, values: Typed): void {
  const isPending = otherLines.value === undefined && !linesFailed.value;
  typed.value = isPending
    ? values
    : Object.fromEntries(
        namesOf(line)
          .flatMap((name) => [name, ...evidenceParts.map((part) => `${name}.${part}`)])
          .flatMap((name) => (values[name] ? [[name, values[name]]] : [])),
      );
}

/** The label within a sentence. */
export function labelIn({ line }: LineForm, name: string): string {
  const evidence = splitEvidence(name);
  const label = line.fields.find((field) => field.name === (evidence?.field ?? name))?.label ?? wordOf('field', name);
  return evidence ? `${label}: ${evidenceWords[evidence.part]}` : label;
}

const evidenceWords: Readonly<Record<EvidencePart, string>> = { as_of: 'date of the evidence', source: 'source' };

/** The label at the start of a sentence. */
export function titleIn(form: LineForm, name: string): string {
  return capitalized(labelIn(form, name));
}

/** The label of the field at a JSON Pointer; undefined if the line lacks the field. */
export function titleAt(form: LineForm, path: string): string | undefined {
  const [, name = ''] = path.split('/');
  return namesOf(form.line).includes(name) ? titleIn(form, name) : undefined;
}
