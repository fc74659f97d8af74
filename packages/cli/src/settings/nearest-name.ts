/** The name that was likely meant; undefined where none is near. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const wanted = fold(text);
  if (wanted.length > 64) return undefined;
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const steps = editSteps(wanted, fold(name));
    if (steps <= Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3)) && steps < fewest) {
      nearest = name;
      fewest = steps;
    }
  }
  return nearest;
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, '');
}

/** Levenshtein's distance, a row of his table at a time. */
function editSteps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (from[at - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
