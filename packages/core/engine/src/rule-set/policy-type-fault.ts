import { didYouMean, type Fault, fold, quoteValue } from '@leeward/terms';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Files accept only the spelling of the vocabulary. */
export function policyTypeFault(text: string, path: string, vocabulary: Vocabulary): Fault {
  const { policyTypes, policyTypeSpellings } = vocabulary;
  const folded = fold(text);
  const match = Object.hasOwn(policyTypeSpellings, folded)
    ? policyTypeSpellings[folded]
    : policyTypes.find((policyType) => fold(policyType) === folded);
  const hint = match === undefined ? didYouMean(text, policyTypes) : ` Did you mean "${match}"?`;
  const message = `${quoteValue(text)} is not a policy type; use one of: ${policyTypes.join(', ')}.${hint}`;
  return { path, code: 'unknown_policy_type', message };
}
