/** A number in a sentence, with its unit and comparison. */
export interface NamedNumber {
  readonly text: string;
  readonly value: number;
  /** Unit of a fact; `other` for a unit without a fact. */
  readonly unit: string | undefined;
  /** `below`: the last value of the lower side ("no more than 3", "more than 3"); `above`: the first of the upper ("3 or more"). */
  readonly side: 'below' | 'above' | undefined;
}

const words =
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const numberOf = new Map([
  ...words.map((word, index): [string, number] => [word, index + 2]),
  ...['thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'].map((word, index): [string, number] => [
    word,
    10 * (index + 3),
  ]),
]);

const units: readonly (readonly [RegExp, string])[] = [
  [/^(years?|yrs?)\b/, 'years'],
  [/^(miles?|mi)\b/, 'miles'],
  [/^(feet|foot|ft)\b/, 'feet'],
  [/^(meters?|metres?|m)\b/, 'meters'],
  [/^acres?\b/, 'acres'],
  [/^days?\b/, 'days'],
  [/^(claims?|losses|loss)\b/, 'claims'],
  [/^dollars?\b/, 'dollars'],
  // Units without a fact.
  [
    /^(months?|weeks?|hours?|percent|%|inch(es)?|amps?|square|stor(y|ies)|units?|families|photos?|points?|tabs?)/,
    'other',
  ],
];

/** Excludes numbers in names such as HO3 and 3-tab. */
const pattern =
  /(?<![\w{.])(\$\s?)?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[a-z]+)(\s?(?:k|million)\b)?(\+)?(-(?=(?:years?|miles?|foot|feet|acres?|days?)\b))?(?!-?\w)/gi;

const lowerSide =
  /\b(more than|over|older than|greater than|exceeds?|exceeding|above|beyond|up to|at most|no more than|not more than|maximum(?: of| is)?|most is|limit is)\s*(?:the\s)?$/i;
const upperSide =
  /\b(at least|no less than|not less than|minimum(?: of| is)?|from|starts? at|less than|under|fewer than|below|newer than|younger than|before|built before)\s*(?:the\s)?$/i;
const lowerAfter =
  /^\s*(?:years?|miles?|feet|acres?|days?|claims?|dollars?)?\s*(?:is|are) the (?:most|limit|maximum)|^\s*(?:\w+\s)?or (?:less|fewer|newer|younger|under|below)\b/i;
const upperAfter = /^\s*(?:\w+\s)?(?:or|and) (?:more|older|over|above|up|higher|greater)\b/i;

/** Ignores facts in braces. */
export function numbersIn(message: string): NamedNumber[] {
  // Replace facts by as many other characters, so that positions stay.
  const text = message.replaceAll(/\{[^}]*\}/g, (fact) => '_'.repeat(fact.length));
  const numbers: (NamedNumber & { readonly end: number })[] = [];
  for (const match of text.matchAll(pattern)) {
    const [whole, dollar, digits = '', scale, plus] = match;
    const base = /^\d/.test(digits) ? Number(digits.replaceAll(',', '')) : numberOf.get(digits.toLowerCase());
    if (base === undefined) continue;
    const after = text.slice(match.index + whole.length).replace(/^[\s-]+/, '');
    const before = text.slice(0, match.index);
    const factor = scale === undefined ? 1 : /k/i.test(scale) ? 1_000 : 1_000_000;
    const value = base * factor;
    const unit = dollar
      ? 'dollars'
      : (units.find(([name]) => name.test(after.toLowerCase()))?.[1] ?? yearOf(digits, before));
    const isBelow = lowerSide.test(before) || lowerAfter.test(after);
    const isAbove = !isBelow && (plus !== undefined || upperSide.test(before) || upperAfter.test(after));
    numbers.push({
      text: whole.trim(),
      value,
      unit,
      side: isBelow ? 'below' : isAbove ? 'above' : undefined,
      end: match.index + whole.length,
    });
  }
  // In "5, 30 and 100 feet", the unit applies to all three.
  for (let index = numbers.length - 2; index >= 0; index--) {
    const [number, next] = [numbers[index]!, numbers[index + 1]!];
    const joint = text.slice(number.end, next.end - next.text.length);
    if (number.unit === undefined && /^\s*(,|and|or|to|-|–)\s*$/.test(joint))
      numbers[index] = { ...number, unit: next.unit };
  }
  return numbers;
}

/** `year` for four digits that are a calendar year, `other` for a year in a name such as "the 2020 storms". */
function yearOf(digits: string, before: string): string | undefined {
  if (!/^(1[6-9]|20)\d\d$/.test(digits)) return undefined;
  return /\bthe\s*$/i.test(before) ? 'other' : 'year';
}
