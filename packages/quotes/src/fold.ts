/** Lower case, without blanks, hyphens, dots and underscores: how two spellings of a name for a value are compared. */
export function fold(text: string): string {
  return text.toLowerCase().replace(/[\s_.\-\u2010-\u2015]+/g, '');
}

/** The nearest of `candidates`, as ` Did you mean "roof_age"?`, or nothing. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  if (text.length > 64) return '';
  const wanted = fold(text);
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const there = fold(candidate);
    const steps = editDistance(wanted, there);
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, there.length) / 3));
    if (steps > limit || steps >= fewest) continue;
    best = candidate;
    fewest = steps;
  }
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** Levenshtein distance, by the two-row table of Wagner and Fischer (1974). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
