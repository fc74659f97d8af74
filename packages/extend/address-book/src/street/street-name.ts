import { directions, otherWords, suffixes } from './street-words.ts';

/** A street's name in comparable parts: `North Ocean Drive` is `n`, `ocean`, `dr`. */
export interface StreetName {
  /** `n`, `se` …, or empty. */
  readonly before: string;
  /** Rest of the name, abbreviated; never empty. A numbered route is its class and number: `us 1`, `sr 7`. */
  readonly core: string;
  /** `st`, `ave`, `hwy` …, or empty. */
  readonly suffix: string;
  readonly behind: string;
}

const MAX_NAME_LENGTH = 100;

/** Classes of numbered routes. */
const routes: readonly (readonly [beginning: RegExp, route: string])[] = [
  [/^(?:us|u s)(?: (?:hwy|rte))? (?=\d)/, 'us '],
  [/^(?:interstate|i)(?: (?:hwy|rte))? (?=\d)/, 'i '],
  [/^(?:state|st) (?:rd|hwy|rte) (?=[a-z]?\d)/, 'sr '],
  [/^(?:sr|s r|sh|str) (?=[a-z]?\d)/, 'sr '],
  [/^(?:county|co|cnty) (?:rd|hwy|rte) (?=[a-z]?\d)/, 'cr '],
  [/^(?:cr|coh) (?=[a-z]?\d)/, 'cr '],
  [/^(?:farm to market|fm)(?: rd)? (?=\d)/, 'fm '],
  [/^(?:ranch to market|rm|ranch|rr)(?: rd)? (?=\d)/, 'rm '],
];

/** Reads a street's name without number and unit; undefined without a letter or digit, or above 100 characters. */
export function readStreetName(street: string): StreetName | undefined {
  if (street.length > MAX_NAME_LENGTH) return undefined;
  const words = street
    .normalize('NFKD')
    .replace(/\p{M}|['’‘ʼʻ`]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  const short = words.map((word) => directions.get(word) ?? suffixes.get(word) ?? otherWords.get(word) ?? word);
  return readRoute(short) ?? readParts(short);
}

function readRoute(words: readonly string[]): StreetName | undefined {
  const behind = words.length > 2 && isDirection(words.at(-1)) ? words.at(-1)! : '';
  const before = words.length > 2 && isDirection(words[0]) ? words[0]! : '';
  // "N. State" is a direction, "S R 7" is a class: try both.
  for (const first of before === '' ? [''] : [before, '']) {
    const rest = words.slice(first === '' ? 0 : 1, behind === '' ? undefined : -1).join(' ');
    for (const [beginning, route] of routes) {
      if (beginning.test(rest)) return { before: first, core: rest.replace(beginning, route), suffix: '', behind };
    }
  }
  return undefined;
}

function readParts(words: readonly string[]): StreetName {
  let rest = words;
  let before = '';
  let suffix = '';
  let behind = '';
  if (rest.length > 1 && isDirection(rest[0])) {
    before = rest[0]!;
    rest = rest.slice(1);
  }
  if (rest.length > 1 && isDirection(rest.at(-1))) {
    behind = rest.at(-1)!;
    rest = rest.slice(0, -1);
  }
  if (rest.length > 1 && isSuffix(rest.at(-1))) {
    suffix = rest.at(-1)!;
    rest = rest.slice(0, -1);
  }
  const written = rest.join(' ');
  const core = personOf(written) ?? written;
  return { before, core: suffix !== '' && /^\d{1,4}$/.test(core) ? ordinal(core) : core, suffix, behind };
}

/** `148 St` means `148th St`. */
function ordinal(digits: string): string {
  const teens = /1\d$/.test(digits);
  const ending = teens ? undefined : { '1': 'st', '2': 'nd', '3': 'rd' }[digits.at(-1)!];
  return `${Number(digits)}${ending ?? 'th'}`;
}

/** Streets named after a person, as people write the name. */
const persons: readonly (readonly [spelling: RegExp, name: string])[] = [
  [
    /^(?:(?:the )?(?:rev|reverend) )?(?:dr )?(?:martin luther king|m ?l ?k(?:ing)?)(?: (?:jr|sr))?$/,
    'martin luther king jr',
  ],
  [/^(?:pres |president )?(?:john f(?:itzgerald)? kennedy|j ?f ?k(?:ennedy)?)(?: jr)?$/, 'john f kennedy'],
  [/^(?:robert f(?:rancis)? kennedy|r ?f ?k(?:ennedy)?)$/, 'robert f kennedy'],
  [/^(?:pres |president )?(?:franklin d(?:elano)? roosevelt|f ?d ?r(?:oosevelt)?)$/, 'franklin d roosevelt'],
  [/^(?:pres |president )?(?:lyndon b(?:aines)? johnson|l ?b ?j(?:ohnson)?)$/, 'lyndon b johnson'],
  [/^cesar (?:e )?chavez$/, 'cesar chavez'],
];

function personOf(core: string): string | undefined {
  return persons.find(([spelling]) => spelling.test(core))?.[1];
}

const isDirection = (word: string | undefined) => word !== undefined && directions.get(word) === word;
const isSuffix = (word: string | undefined) => word !== undefined && suffixes.get(word) === word;

/**
 * Compares a requested name with a street. Returns 2 if they are equal, 1 if the request omits a direction or suffix of the street, 0 if
 * they differ (`Ocean Dr` and `Ocean Ave`; `N Main St` and `Main St`).
 */
export function compareStreetNames(query: StreetName, candidate: StreetName): 0 | 1 | 2 {
  if (query.core !== candidate.core) return 0;
  const parts = ['before', 'suffix', 'behind'] as const;
  if (parts.every((part) => query[part] === candidate[part])) return 2;
  return parts.every((part) => query[part] === candidate[part] || query[part] === '') ? 1 : 0;
}
