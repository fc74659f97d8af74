import { isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import { axisFactOf, factIndex } from '../vocabulary/fact-index.ts';
import type { Field, ValueForm } from '../vocabulary/field.ts';
import { YES } from '../vocabulary/flag-field.ts';
import { computer, sourceOfProperty, viewOf } from './computed.ts';
import { COMPUTE, type Facts } from './fact-map.ts';

/**
 * The facts of a property for one policy type in one county, without host facts.
 *
 * @param county FIPS code; undefined if unknown or irrelevant
 */
export function factsOfProperty(
  property: Property,
  policyType: string,
  county: string | undefined,
): Map<string, unknown> {
  const { vocabulary, effectiveYear } = property;
  const facts = new Map<string, unknown>([
    ['state', property.state],
    ['county', county],
    ['policy_type', policyType],
  ]);
  vocabulary.fields.forEach((field, index) => {
    const value = property.values[index];
    facts.set(axisFactOf(field), value);
    if (field.form) facts.set(field.name, writeInForm(value, field.form));
  });
  for (const { name, members } of factIndex(vocabulary).sets.values()) facts.set(name, wordsOfSet(members, facts));
  for (const derived of vocabulary.derivedFacts) {
    facts.set(derived.name, viewOf(facts.get(derived.field) as Knowledge, derived, effectiveYear));
  }
  if (vocabulary.lists !== undefined) {
    for (const { name } of vocabulary.lists) facts.set(name, property.lists?.[name]);
  }
  facts.set(COMPUTE, computer(sourceOfProperty(property)));
  return facts;
}

function writeInForm(value: Knowledge, form: ValueForm): unknown {
  if (value === undefined) return undefined;
  if (!isWithin(value)) return form.write(value);
  if (value.kind === 'one of') return { kind: 'one of', words: value.words.map(form.write) };
  return { kind: 'between', min: form.write(value.min), max: form.write(value.max) };
}

/** Undefined unless every word is known. */
function wordsOfSet(members: readonly Field[], facts: Facts): readonly string[] | undefined {
  if (!members.every(({ name }) => typeof facts.get(name) === 'string')) return undefined;
  return members.flatMap(({ name, member }) => (facts.get(name) === YES ? [member!.word] : []));
}
