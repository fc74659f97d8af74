import { type Box, openParts } from './cover.ts';
import { conjoin, type Term } from './term.ts';
import { widestTerms } from './widest-terms.ts';

/** Maximum number of pairs and of terms of one product. */
const MAX_PAIRS = 20_000;
const MAX_TERMS = 600;

/**
 * The conjunction of several disjunctions of terms, within a box, without terms inside others. Undefined if it has too many terms.
 *
 * @param onConjoined called for each conjunction of two terms, before the widest are chosen
 * @example
 * productOf([declining, otherDeclining], box); // where both decline
 */
export function productOf(
  factors: readonly (readonly Term[])[],
  box: Box,
  onConjoined: (both: Term, one: Term, other: Term) => void = () => {},
): readonly Term[] | undefined {
  let terms: readonly Term[] = [[]];
  for (const factor of factors) {
    const always = factor.find((term) => term.length === 0);
    if (terms.length * factor.length > MAX_PAIRS) return undefined;
    const next: Term[] = [];
    for (const one of terms) {
      for (const other of always ? [always] : factor) {
        const both = conjoin(one, other);
        if (openParts(both, box) === undefined) continue;
        onConjoined(both, one, other);
        next.push(both);
      }
    }
    terms = widestTerms(next);
    if (terms.length > MAX_TERMS) return undefined;
  }
  return terms;
}
