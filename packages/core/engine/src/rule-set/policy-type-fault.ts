import { didYouMean, type Fault, fold, quoteValue } from '@leeward/terms';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** What is said of a policy type that is not written as the vocabulary has it: files have one spelling of each. */
export function policyTypeFault(text: string, path: string, vocabulary: Vocabulary): Fault {
  const { policyTypes, policyTypeSpellings } = vocabulary;
  const folded = fold(text);
  const meant = Object.hasOwn(policyTypeSpellings, folded)
    ? policyTypeSpellings[folded]
    : policyTypes.find((policyType) => fold(policyType) === folded);
  const hint = meant === undefined ? didYouMean(text, policyTypes) : ` Did you mean "${meant}"?`;
  const message = `${quoteValue(text)} is not a policy type; use one of: ${policyTypes.join(', ')}.${hint}`;
  return { path, code: 'unknown_policy_type', message };
}
