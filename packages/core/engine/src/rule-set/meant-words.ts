/** Words of other rule languages and their equivalents here, for suggestions. */

const operators: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '>': 'greaterThan',
    '>=': 'greaterThanInclusive',
    '<': 'lessThan',
    '<=': 'lessThanInclusive',
    '=': 'equal',
    '==': 'equal',
    '===': 'equal',
    is: 'equal',
    eq: 'equal',
    '!=': 'notEqual',
    '!==': 'notEqual',
    '<>': 'notEqual',
    is_not: 'notEqual',
    isnot: 'notEqual',
    ne: 'notEqual',
    gt: 'greaterThan',
    gte: 'greaterThanInclusive',
    ge: 'greaterThanInclusive',
    over: 'greaterThan',
    at_least: 'greaterThanInclusive',
    lt: 'lessThan',
    lte: 'lessThanInclusive',
    le: 'lessThanInclusive',
    under: 'lessThan',
    at_most: 'lessThanInclusive',
    one_of: 'in',
    any_of: 'in',
    not_in: 'notIn',
    none_of: 'notIn',
  }),
);

const outcomes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    deny: 'decline',
    reject: 'decline',
    refuse: 'decline',
    ineligible: 'decline',
    block: 'decline',
    referral: 'refer',
    review: 'refer',
    escalate: 'refer',
    requirement: 'require',
    accept_with: 'offer',
    surcharge: 'offer',
    restrict: 'offer',
    limit: 'offer',
    endorse: 'offer',
    info: 'inform',
    note: 'inform',
    warn: 'inform',
  }),
);

const keys: ReadonlyMap<string, string> = new Map([
  ['and', 'all'],
  ['every', 'all'],
  ['or', 'any'],
  ['some', 'any'],
  ['none', 'not'],
  ['if', 'when'],
  ['field', 'fact'],
  ['op', 'operator'],
  ['then', 'outcome'],
  ['action', 'outcome'],
  ['reason', 'message'],
  ['term', 'terms'],
  ['limits', 'terms'],
  ['deductibles', 'terms'],
]);

const accepting = new Set(['accept', 'approve', 'allow', 'eligible', 'pass']);

export function meantOperator(name: string): string | undefined {
  const word = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (word === 'between' || word === 'range') {
    return ' Between two limits is two tests in an "all": greaterThanInclusive the one, lessThanInclusive the other.';
  }
  return hint(operators, word);
}

export function meantOutcome(name: string): string | undefined {
  const word = name.trim().toLowerCase();
  if (accepting.has(word)) {
    return ' A home is eligible unless a rule declines or refers it: write a rule that accepts as a decline with "unless".';
  }
  return hint(outcomes, word);
}

export function meantKey(name: string): string | undefined {
  return hint(keys, name.trim().toLowerCase());
}

function hint(words: ReadonlyMap<string, string>, word: string): string | undefined {
  const equivalent = words.get(word);
  return equivalent === undefined ? undefined : ` Write "${equivalent}".`;
}
