/**
 * Returns a pattern of JSON Schema for numbers from `min` to `max` in digits, without leading zeros; a fraction has up to 15 digits.
 * @param min, max whole numbers
 * @example
 * digitsPattern(1, 20, { isWhole: true }); // '^([1-9]|1[0-9]|20)$'
 */
export function digitsPattern(min: number, max: number, { isWhole }: { readonly isWhole: boolean }): string {
  const positive = within(Math.max(min, 0), max, isWhole);
  const negative = min < 0 ? [`-(${within(0, -min, isWhole).join('|')})`] : [];
  return `^(${[...positive, ...negative].join('|')})$`;
}

function within(min: number, max: number, isWhole: boolean): string[] {
  if (isWhole || max === min) return wholeNumbers(min, max);
  return [`(${wholeNumbers(min, max - 1).join('|')})(\\.[0-9]{1,15})?`, String(max)];
}

/** A range is split by the number of digits. */
function wholeNumbers(min: number, max: number): string[] {
  const parts: string[] = [];
  for (let digits = String(min).length; digits <= String(max).length; digits++) {
    const from = Math.max(min, digits === 1 ? 0 : 10 ** (digits - 1));
    parts.push(...sameLength(String(from), String(Math.min(max, 10 ** digits - 1))));
  }
  return parts;
}

/** Then by the first digit: the numbers that share it with `from`, those between, those that share it with `to`. */
function sameLength(from: string, to: string): string[] {
  const [first, last] = [Number(from[0]), Number(to[0])];
  const length = from.length - 1;
  if (length === 0) return [digit(first, last)];
  if (first === last) return sameLength(from.slice(1), to.slice(1)).map((rest) => `${first}${rest}`);
  const isFirstWhole = from.slice(1) === '0'.repeat(length);
  const isLastWhole = to.slice(1) === '9'.repeat(length);
  const below = isFirstWhole ? [] : sameLength(from.slice(1), '9'.repeat(length)).map((rest) => `${first}${rest}`);
  const above = isLastWhole ? [] : sameLength('0'.repeat(length), to.slice(1)).map((rest) => `${last}${rest}`);
  const [begin, end] = [first + (isFirstWhole ? 0 : 1), last - (isLastWhole ? 0 : 1)];
  return [...below, ...(begin <= end ? [`${digit(begin, end)}[0-9]{${length}}`] : []), ...above];
}

function digit(from: number, to: number): string {
  return from === to ? String(from) : `[${from}-${to}]`;
}
