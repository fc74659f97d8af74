import type { DomainContext, Field } from './field.ts';
import { FIRST_DATE, type ItemField, LAST_DATE, type ListField } from './list-field.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A request field, described for a form. Serializable as JSON. */
export type RequestField = {
  /** Name in requests. */
  readonly name: string;
  readonly label: string;
  readonly unit?: string;
  /** Meaning, in a sentence. */
  readonly description?: string;
  /** True if a form needs the field only when a rule tests it. @default false */
  readonly on_demand?: true;
} & (
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly integer: boolean }
  /** One of the words. */
  | { readonly kind: 'word'; readonly words: readonly string[] }
  /** Any number of the words: a list in requests. */
  | { readonly kind: 'set'; readonly words: readonly string[] }
  /** `true` or `false`. */
  | { readonly kind: 'flag' }
  /** `YYYY-MM-DD`, both ends included. */
  | { readonly kind: 'date'; readonly min: string; readonly max: string }
  /** Five digits as text. */
  | { readonly kind: 'zipcode' }
  /** Objects with the fields of an item. An empty list differs from a missing one, which is unknown. */
  | {
      readonly kind: 'list';
      /** One item: `loss`. */
      readonly item_label: string;
      readonly max_items: number;
      readonly fields: readonly RequestItemField[];
    }
);

/** A field of an item of a list, described for a form. An item may lack it. */
export type RequestItemField = {
  readonly name: string;
  readonly label: string;
  readonly unit?: string;
  /** Meaning, in a sentence. */
  readonly description?: string;
} & (
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly integer: boolean }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'flag' }
  /** `YYYY-MM-DD`, both ends included; with `partial`, also `YYYY-MM` and `YYYY`. */
  | { readonly kind: 'date'; readonly min: string; readonly max: string; readonly partial: true }
);

/**
 * The request fields in addition to location, policy type and dates, in the order of the vocabulary; lists come last. A set is one
 * field. A year that requests have as an age is described in years of age.
 *
 * @example for (const { name, label, kind } of requestFieldsOf(homeVocabulary, { effectiveYear: 2026 })) addInput(name, label, kind);
 */
export function requestFieldsOf(vocabulary: Vocabulary, context: DomainContext): readonly RequestField[] {
  const sets = new Set<string>();
  const fields = vocabulary.fields.flatMap((field): RequestField[] => {
    if (!field.schema) return field.givenAs === undefined ? [] : [requestField(field, vocabulary, context)];
    if (field.member) {
      if (sets.has(field.member.set)) return [];
      sets.add(field.member.set);
    }
    return [requestField(field, vocabulary, context)];
  });
  return [...fields, ...(vocabulary.lists ?? []).map(requestList)];
}

/** Lists are on demand: most rule sets test none. */
function requestList({ name, label, description, itemLabel, maxItems, fields }: ListField): RequestField {
  return {
    name,
    label,
    description,
    on_demand: true,
    kind: 'list',
    item_label: itemLabel,
    max_items: maxItems,
    fields: fields.map(requestItemField),
  };
}

function requestItemField(field: ItemField): RequestItemField {
  const { name, label, description } = field;
  const common = { name, label, description };
  switch (field.kind) {
    case 'number': {
      const { min, max, unit } = field;
      return { ...common, ...(unit === undefined ? {} : { unit }), kind: 'number', min, max, integer: true };
    }
    case 'word':
      return { ...common, kind: 'word', words: field.words };
    case 'flag':
      return { ...common, kind: 'flag' };
    case 'date':
      return { ...common, kind: 'date', min: FIRST_DATE, max: LAST_DATE, partial: true };
  }
}

function requestField(field: Field, vocabulary: Vocabulary, context: DomainContext): RequestField {
  const { givenAs, member, form, schema } = field;
  const name = schema ? field.requestName : (givenAs ?? field.requestName);
  const age = vocabulary.derivedFacts.find((fact) => fact.name === name);
  const unit = age ? age.unit : field.unit;
  const description = schema
    ? schema.meta()?.description
    : `In ${unit}, where it is known; otherwise it is looked up from the ${field.requestName}.`;
  const common = {
    name,
    label: member?.label ?? age?.label ?? field.label,
    ...(unit === undefined ? {} : { unit }),
    ...(description === undefined ? {} : { description }),
    ...(field.isOnDemand === true ? { on_demand: true as const } : {}),
  };
  if (member) {
    const words = vocabulary.fields.flatMap((each) => (each.member?.set === member.set ? [each.member.word] : []));
    return { ...common, kind: 'set', words };
  }
  const domain = field.domain(context);
  if (form?.name === 'flag' || form?.name === 'zipcode') return { ...common, kind: form.name };
  if (domain.kind === 'words') return { ...common, kind: 'word', words: domain.words };
  if (form)
    return { ...common, kind: 'date', min: String(form.write(domain.min)), max: String(form.write(domain.max)) };
  const { min, max, integer } = age?.range ?? domain;
  return { ...common, kind: 'number', min, max, integer };
}
