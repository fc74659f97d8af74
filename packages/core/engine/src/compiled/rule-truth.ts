import type { Truth } from '../condition/truth.ts';
import { type Encoded, isDefinite, isPossible, partDefinite, partPossible } from './encode.ts';
import type { Term, TermPart } from './term.ts';

/** Truth of any of the terms, each box judged as a whole (normalized). */
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
 * Truth of any of the terms, test by test: a test of an unknown field is undecided whatever it asks.
 * What the reference computes, and what is compared with it. Wants terms compiled without normalizing.
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
