import { distance } from 'fastest-levenshtein';

/** Enough for any list that people wrote; keeps a file of many faults from costing their square. */
const MOST_CANDIDATES = 500;

/** The nearest spelling among `candidates`, or undefined when none is near enough to be meant. */
export function suggest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > 64) return undefined;
  const wanted = fold(text);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > MOST_CANDIDATES) break;
    const there = fold(candidate);
    const steps = distance(wanted, there);
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, there.length) / 3));
    if (steps <= limit && steps < bestDistance) {
      best = candidate;
      bestDistance = steps;
    }
  }
  return best;
}

/** `did you mean "roof_age"?`, or nothing. Starts with a blank, to be appended to a sentence. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const nearest = suggest(text, candidates);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}
