import { createVocabulary } from './fact-index.ts';
import type { DerivedFact, Field, Relation } from './field.ts';
import type { ListField } from './list-field.ts';
import type { OfferTerm } from './offer-term.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Input of {@link extendVocabulary}. */
export interface VocabularyExtension {
  readonly fields?: readonly Field[];
  readonly derivedFacts?: readonly DerivedFact[];
  readonly relations?: readonly Relation[];
  readonly lists?: readonly ListField[];
  readonly givenTogether?: readonly (readonly [string, string])[];
  /** Reason codes that need no `x_`. */
  readonly codes?: readonly string[];
  /** Terms of offers that need no `x_`. */
  readonly terms?: readonly OfferTerm[];
}

/**
 * Returns a vocabulary with a host's fields added, which behave like built-in ones. Create it once: compiled tables are cached by
 * vocabulary.
 *
 * @throws RangeError listing every fault: duplicate names, references to missing fields.
 * @example
 *  const vocabulary = extendVocabulary(homeVocabulary, {
 *    fields: [flagField('gated', { label: 'gated community', change: { kind: 'never' }, description: 'In a gated community.' })],
 *    codes: ['gated_community'],
 *  });
 */
export function extendVocabulary(vocabulary: Vocabulary, extension: VocabularyExtension): Vocabulary {
  const {
    fields = [],
    derivedFacts = [],
    relations = [],
    lists = [],
    givenTogether = [],
    codes = [],
    terms = [],
  } = extension;
  const extended: Vocabulary = {
    ...vocabulary,
    fields: [...vocabulary.fields, ...fields],
    derivedFacts: [...vocabulary.derivedFacts, ...derivedFacts],
    relations: [...vocabulary.relations, ...relations],
    lists: [...(vocabulary.lists ?? []), ...lists],
    givenTogether: [...vocabulary.givenTogether, ...givenTogether],
    codes: [...new Set([...vocabulary.codes, ...codes])],
    ...(terms.length > 0 ? { terms: [...(vocabulary.terms ?? []), ...terms] } : {}),
  };
  return createVocabulary(extended);
}
