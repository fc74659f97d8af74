import type { Truth } from '../condition/truth.ts';
import { type Encoded, isDefinite, isPossible, partDefinite, partPossible } from './encode.ts';
import type { Term, TermPart } from './term.ts';

/** The truth of a disjunction of terms, each evaluated as a box. */
export function truthOfTerms(terms: readonly Term[], at: Encoded): Truth {
  let truth: Truth = 'false';
  for (const term of terms) {
    if (!isPossible(term, at)) continue;
    if (isDefinite(term, at)) return 'true';
    truth = 'undecided';
  }
  return truth;
}

/**
 * The truth of a disjunction of terms, test by test: a test of an unknown field is undecided, as in json-rules-engine. Requires terms
 * compiled without normalizing.
 */
export function kleeneTruthOfTerms(terms: readonly Term[], at: Encoded): Truth {
  let truth: Truth = 'false';
  for (const term of terms) {
    if (!term.every((part) => unknown(part, at) || partPossible(part, at))) continue;
    if (term.every((part) => !unknown(part, at) && partDefinite(part, at))) return 'true';
    truth = 'undecided';
  }
  return truth;
}

function unknown(part: TermPart, at: Encoded): boolean {
  return at.missing[part.axis]!;
}
