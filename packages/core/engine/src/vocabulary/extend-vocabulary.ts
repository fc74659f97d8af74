import { createVocabulary } from './fact-index.ts';
import type { DerivedFact, Field, Relation } from './field.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What a host adds to a line of business. */
export interface VocabularyExtension {
  /**
   * Made by `integerField`, `decimalField`, `choiceField`, `flagField`, `dateField`, `setField`, `yearField`,
   * `ageOrYearField`, or by hand.
   */
  readonly fields?: readonly Field[];
  readonly derivedFacts?: readonly DerivedFact[];
  readonly relations?: readonly Relation[];
  readonly givenTogether?: readonly (readonly [string, string])[];
  /** Reason codes to be used without `x_`. */
  readonly codes?: readonly string[];
}

/**
 * A line of business with a host's own fields: given in requests, tested by rules, compiled, explained and
 * asked for like all others. Make it once and share it. Throws a `RangeError` with everything that does not
 * fit: names taken already, names of nothing.
 */
export function extendVocabulary(vocabulary: Vocabulary, extension: VocabularyExtension): Vocabulary {
  const { fields = [], derivedFacts = [], relations = [], givenTogether = [], codes = [] } = extension;
  const extended: Vocabulary = {
    ...vocabulary,
    fields: [...vocabulary.fields, ...fields],
    derivedFacts: [...vocabulary.derivedFacts, ...derivedFacts],
    relations: [...vocabulary.relations, ...relations],
    givenTogether: [...vocabulary.givenTogether, ...givenTogether],
    codes: [...new Set([...vocabulary.codes, ...codes])],
  };
  return createVocabulary(extended);
}
