import { distance } from 'fastest-levenshtein';
import { fold } from './fold.ts';

/** Longer text gets no suggestion. */
const MAX_LETTERS = 64;

/** The counties of Texas have 512 spellings. */
const MAX_CANDIDATES = 1000;

/** Comparisons for one request or file: a few milliseconds. */
const MAX_FOR_ALL = 10_000;

/** Comparisons left for one request or file. */
export interface SuggestionBudget {
  left: number;
}

let current: SuggestionBudget | undefined;

/**
 * Creates the budget of one request or file.
 * @example
 * withSuggestions(createSuggestionBudget(), () => check(body));
 */
export function createSuggestionBudget(): SuggestionBudget {
  return { left: MAX_FOR_ALL };
}

/**
 * Runs a check with a budget for its suggestions. Once the budget is spent, faults have no suggestions. A nested call uses the outer
 * budget.
 * @example
 * withSuggestions(createSuggestionBudget(), () => check(body));
 */
export function withSuggestions<T>(budget: SuggestionBudget, run: () => T): T {
  const outer = current;
  current ??= budget;
  try {
    return run();
  } finally {
    current = outer;
  }
}

/**
 * Returns the first of the nearest candidates; undefined if each differs by more than a third of its letters.
 * @example
 * suggest('rof_age', ['state', 'roof_age']); // 'roof_age'
 */
export function suggest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > MAX_LETTERS || (current !== undefined && current.left <= 0)) return undefined;
  const folded = fold(text);
  let best: string | undefined;
  let minSteps = Number.POSITIVE_INFINITY;
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > MAX_CANDIDATES) break;
    if (current !== undefined && --current.left < 0) return undefined;
    if (candidate.length > MAX_LETTERS) continue;
    const other = fold(candidate);
    const limit = Math.max(1, Math.floor(Math.max(folded.length, other.length) / 3));
    if (Math.abs(folded.length - other.length) > Math.min(limit, minSteps - 1)) continue;
    const steps = distance(folded, other);
    if (steps > limit || steps >= minSteps) continue;
    best = candidate;
    minSteps = steps;
  }
  return best;
}

/**
 * Returns a sentence with a leading space, or the empty string.
 * @example
 * didYouMean('rof_age', ['state', 'roof_age']); // ' Did you mean "roof_age"?'
 */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const nearest = suggest(text, candidates);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}
