import type { Vocabulary } from '@leeward/engine';

/** A vocabulary as JSON, for implementations of the rule format in other languages. docs/rule-format.md defines the keys. */
export function vocabularyData(vocabulary: Vocabulary): string {
  const lists = {
    fields: vocabulary.fields.map((field) => ({
      name: field.name,
      request_name: field.requestName,
      ...(field.givenAs === undefined ? {} : { given_as: field.givenAs }),
      label: field.label,
      ...(field.unit === undefined ? {} : { unit: field.unit }),
      ...(field.echo && !field.form ? { age_or_year: true } : {}),
      ...(field.form ? { form: field.form.name } : {}),
      ...(field.member ? { set: field.member.set, word: field.member.word } : {}),
      ...domainOf(field),
      ...(field.fallback ? { fallback: field.fallback } : {}),
    })),
    derived_facts: vocabulary.derivedFacts.map(({ name, field, label, unit, toField }) => ({
      name,
      field,
      label,
      unit,
      ...(toField ? { meters_per_unit: toField(1) } : { age: true }),
    })),
    relations: vocabulary.relations.map(({ lower, higher }) => ({ lower, higher })),
    given_together: vocabulary.givenTogether,
    terms: vocabulary.terms ?? [],
    lists: (vocabulary.lists ?? []).map(({ name, maxItems, countedBy, fields }) => ({
      name,
      max_items: maxItems,
      ...(countedBy ? { counted_by: countedBy } : {}),
      fields: fields.map((field) =>
        Object.fromEntries(Object.entries(field).filter(([key]) => !forPeople.includes(key))),
      ),
    })),
  };
  const { line, policyTypes, codes } = vocabulary;
  const text = [
    ...Object.entries({ line, policy_types: policyTypes, codes }).map(
      ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    ),
    ...Object.entries(lists).map(
      ([name, entries]) =>
        `  ${JSON.stringify(name)}: [\n${entries.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]`,
    ),
  ];
  return `{\n${text.join(',\n')}\n}\n`;
}

/** Keys of the fields of lists that no evaluator needs. */
const forPeople = ['description', 'ageLabel'];

function domainOf({ domain }: Vocabulary['fields'][number]): object {
  const [first, later] = [domain({ effectiveYear: 2000 }), domain({ effectiveYear: 2001 })];
  if (first.kind === 'words' || later.kind === 'words') return { words: first.kind === 'words' ? first.words : [] };
  const { min, max, integer } = first;
  // The latest year depends on the effective date.
  return { min, ...(later.max === max ? { max } : { max_years_after: max - 2000 }), ...(integer ? { integer } : {}) };
}
