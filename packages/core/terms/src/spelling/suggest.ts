import { distance } from 'fastest-levenshtein';
import { fold } from './fold.ts';

/** Longer text is no misspelling of a name. */
const MAX_LETTERS = 64;

/** Enough for any list that people wrote: the counties of Texas have 512 spellings. */
const MAX_CANDIDATES = 1000;

/** Of all suggestions for one request or one file together: some milliseconds, however many words of it nobody knows. */
const MAX_FOR_ALL = 10_000;

/** What suggestions for one request or one file may still be compared with. */
export interface SuggestionBudget {
  left: number;
}

let current: SuggestionBudget | undefined;

/** How much work all suggestions of one request may take together. */
export function createSuggestionBudget(): SuggestionBudget {
  return { left: MAX_FOR_ALL };
}

/**
 * Runs a check whose suggestions, all together, cost no more than the budget: beyond it a fault names nothing that was
 * likely meant. Within another the outer one counts.
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

/** The nearest spelling among `candidates`, or undefined when none differs by at most a third of its letters. */
export function suggest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > MAX_LETTERS || (current !== undefined && current.left <= 0)) return undefined;
  const wanted = fold(text);
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > MAX_CANDIDATES) break;
    if (current !== undefined && --current.left < 0) return undefined;
    if (candidate.length > MAX_LETTERS) continue;
    const there = fold(candidate);
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, there.length) / 3));
    // The difference in length is the least that there can be to change.
    if (Math.abs(wanted.length - there.length) > Math.min(limit, fewest - 1)) continue;
    const steps = distance(wanted, there);
    if (steps > limit || steps >= fewest) continue;
    best = candidate;
    fewest = steps;
  }
  return best;
}

/** ` Did you mean "roof_age"?`, or nothing. Starts with a blank, to be appended to a sentence. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const nearest = suggest(text, candidates);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}
