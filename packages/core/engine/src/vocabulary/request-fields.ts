import type { DomainContext, Field } from './field.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A field as somebody is asked for it: what a form needs to know, as JSON can say it. */
export type RequestField = {
  /** As a request names it. */
  readonly name: string;
  readonly label: string;
  readonly unit?: string;
  /** What is meant, in a sentence. */
  readonly description?: string;
} & (
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly integer: boolean }
  /** One of the words. */
  | { readonly kind: 'word'; readonly words: readonly string[] }
  /** Any number of the words, none included: a list in requests. */
  | { readonly kind: 'set'; readonly words: readonly string[] }
  /** `true` or `false`. */
  | { readonly kind: 'flag' }
  /** `YYYY-MM-DD`, both ends included. */
  | { readonly kind: 'date'; readonly min: string; readonly max: string }
);

/**
 * The fields that a request of a line may give beside its place, policy type and dates, in the order of the vocabulary: a set
 * once, what is given by its age in years, and what is otherwise looked up.
 */
export function requestFieldsOf(vocabulary: Vocabulary, context: DomainContext): readonly RequestField[] {
  const sets = new Set<string>();
  return vocabulary.fields.flatMap((field): RequestField[] => {
    if (!field.schema) return field.givenAs === undefined ? [] : [requestField(field, vocabulary, context)];
    if (field.member) {
      if (sets.has(field.member.set)) return [];
      sets.add(field.member.set);
    }
    return [requestField(field, vocabulary, context)];
  });
}

function requestField(field: Field, vocabulary: Vocabulary, context: DomainContext): RequestField {
  const { givenAs, member, form, schema } = field;
  const name = schema ? field.requestName : (givenAs ?? field.requestName);
  const age = vocabulary.derivedFacts.find((fact) => fact.name === name);
  const unit = age ? age.unit : field.unit;
  const description = schema
    ? schema.meta()?.description
    : `In ${unit}, where it is known; otherwise it is looked up from the ${field.requestName}.`;
  const told = {
    name,
    label: member?.label ?? age?.label ?? field.label,
    ...(unit === undefined ? {} : { unit }),
    ...(description === undefined ? {} : { description }),
  };
  if (member) {
    const words = vocabulary.fields.flatMap((each) => (each.member?.set === member.set ? [each.member.word] : []));
    return { ...told, kind: 'set', words };
  }
  const domain = field.domain(context);
  if (form?.name === 'flag') return { ...told, kind: 'flag' };
  if (domain.kind === 'words') return { ...told, kind: 'word', words: domain.words };
  if (form) return { ...told, kind: 'date', min: String(form.write(domain.min)), max: String(form.write(domain.max)) };
  const { min, max, integer } = age?.range ?? domain;
  return { ...told, kind: 'number', min, max, integer };
}
