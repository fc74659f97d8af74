import { evidenceSources, type Vocabulary } from '@leeward/engine';
import { eventList, type ItemField } from '@leeward/engine/vocabulary';

/** Domains of the dates and ages of items. */
const [FIRST_DATE, LAST_DATE, MAX_ITEM_AGE] = ['1900-01-01', '2199-12-31', 300] as const;

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
    sets: setsOf(vocabulary),
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
    lists: [...(vocabulary.lists ?? []), eventList].map(({ name, maxItems, countedBy, fields }) => ({
      name,
      max_items: maxItems,
      ...(countedBy ? { counted_by: { ...countedBy, age: ageOf(fields, countedBy.date) } } : {}),
      fields: fields.map(itemField),
      derived_facts: fields.flatMap((field) =>
        field.kind === 'date'
          ? [{ name: field.age, field: field.name, complete_years: true, min: 0, max: MAX_ITEM_AGE }]
          : [],
      ),
    })),
    unknown_words: unknownWords,
  };
  const { line, policyTypes, codes } = vocabulary;
  const text = [
    ...Object.entries({ line, policy_types: policyTypes, codes, sources: evidenceSources }).map(
      ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    ),
    ...Object.entries(lists).map(
      ([name, entries]) =>
        `  ${JSON.stringify(name)}: [\n${entries.map((each) => `    ${JSON.stringify(each)}`).join(',\n')}\n  ]`,
    ),
  ];
  return `{\n${text.join(',\n')}\n}\n`;
}

const years = '( years? old\\b| years?\\b)?';
/** Words for an unknown fact: the kind of fact, a regular expression for the text behind, and the words with their parts. */
const unknownWords = [
  { if: 'place', behind: '', words: 'an unknown {0}' },
  { if: 'no unit', behind: '', words: 'unknown' },
  { if: 'alone', behind: '', words: 'unknown' },
  { if: 'age', behind: '-year-old ([a-z]+)', words: '{1} of unknown age' },
  { if: 'age of', behind: years, words: 'unknown age' },
  { if: 'age', behind: years, words: 'of unknown age' },
  { if: 'unit year', behind: '', words: 'an unknown year' },
  { if: 'unit dollars', behind: '( dollars(?![a-z-]))?', words: 'an unknown amount' },
  { if: 'any', behind: ' percent(?![a-z-])', words: 'an unknown percentage' },
  { if: 'any', behind: ' (feet|meters|miles)(?![a-z-])', words: 'an unknown distance' },
  {
    if: 'any',
    behind: '(?= (?!(is|are|was|were|has|may|must|and|or|of|to|in|from|for)\\b)[a-z])',
    words: 'an unknown number of',
  },
  { if: 'any', behind: '', words: 'an unknown number' },
];

/** A field of an item, with the keys of a field of the line. */
function itemField(field: ItemField): object {
  const { name } = field;
  if (field.kind === 'word') return { name, words: field.words, ...(field.isOpen ? { is_open: true } : {}) };
  if (field.kind === 'flag') return { name, form: 'flag', words: ['no', 'yes'] };
  if (field.kind === 'number')
    return { name, min: field.min, max: field.max, ...(field.isDecimal ? {} : { integer: true }) };
  const [min, max] = [FIRST_DATE, LAST_DATE].map((date) => Date.parse(date) / 86_400_000);
  return { name, form: 'date', min, max, integer: true };
}

/** The sets, with the field of each word. */
function setsOf({ fields }: Vocabulary): object[] {
  const sets = new Map<string, Record<string, string>>();
  for (const { name, member } of fields) {
    if (member) sets.set(member.set, { ...sets.get(member.set), [member.word]: name });
  }
  return [...sets].map(([name, words]) => ({ name, fields: words }));
}

function ageOf(fields: readonly ItemField[], date: string): string {
  const field = fields.find(({ name }) => name === date);
  return field?.kind === 'date' ? field.age : '';
}

function domainOf({ domain }: Vocabulary['fields'][number]): object {
  const [first, later] = [domain({ effectiveYear: 2000 }), domain({ effectiveYear: 2001 })];
  if (first.kind === 'words' || later.kind === 'words') return { words: first.kind === 'words' ? first.words : [] };
  const { min, max, integer } = first;
  // The latest year depends on the effective date.
  return { min, ...(later.max === max ? { max } : { max_years_after: max - 2000 }), ...(integer ? { integer } : {}) };
}
