import { requestSchemaOf, type Vocabulary } from '@leeward/engine';
import { evidenceSubjects } from '@leeward/engine/compiled';

/** The date or the source of a value, as a column of a book. */
export interface EvidenceName {
  /** Name of the value in requests. */
  readonly of: string;
  readonly part: 'as_of' | 'source';
}

const namesOfVocabulary = new WeakMap<Vocabulary, ReadonlyMap<string, EvidenceName>>();

/** The names of columns of evidence: `roof_age.as_of`, `roof_age.source`. */
export function evidenceNames(vocabulary: Vocabulary): ReadonlyMap<string, EvidenceName> {
  let names = namesOfVocabulary.get(vocabulary);
  if (!names) {
    const subjects = evidenceSubjects(vocabulary);
    names = new Map(
      Object.keys(requestSchemaOf(vocabulary).shape)
        .filter((name) => subjects.has(name))
        .flatMap((of) => (['as_of', 'source'] as const).map((part) => [`${of}.${part}`, { of, part }])),
    );
    namesOfVocabulary.set(vocabulary, names);
  }
  return names;
}

/** The names that columns of a book can have: fields of a request, and the evidence of their values. */
export function bookNamesOf(vocabulary: Vocabulary): readonly string[] {
  return [...Object.keys(requestSchemaOf(vocabulary).shape), ...evidenceNames(vocabulary).keys()];
}
