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
  const text = street
    .normalize('NFKD')
    .replace(/\p{M}|['’‘ʼʻ`]/gu, '')
    .toLowerCase()
    // "N.W."
    .replace(/\b([ns])\.([ew])\b/g, '$1$2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    // "State Highway No 70".
    .replace(/\b(highway|hwy|route|rte|rt) (?:no|number) (?=\d)/, '$1 ')
    .replace(tensAndOrdinal, (_, tens: string, units: string) => ordinal(String(10 * tensOf(tens) + unitsOf(units))));
  if (text === '') return undefined;
  const words = joinDirections(text.split(' '));
  const short = words.map((word) => directions.get(word) ?? suffixes.get(word) ?? otherWords.get(word) ?? word);
  return readRoute(short) ?? readNamedDirection(words, short) ?? readParts(short);
}

const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const units = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
/** "Forty-Second". */
const tensAndOrdinal = new RegExp(`\\b(${tens.join('|')}) ?(${units.join('|')})\\b`);
const tensOf = (word: string) => tens.indexOf(word) + 2;
const unitsOf = (word: string) => units.indexOf(word) + 1;

/** "Cox Ave S W", "N W 7th Ave", but not "N E St", the northern part of E Street. */
function joinDirections(words: readonly string[]): readonly string[] {
  const isPair = (at: number) => {
    const [first, second] = [words[at], words[at + 1]];
    return (first === 'n' || first === 's') && (second === 'e' || second === 'w');
  };
  const end = words.length - 2;
  if (end > 0 && isPair(end)) return [...words.slice(0, end), `${words[end]}${words[end + 1]}`];
  // "S W S Young Dr" is named after W. S. Young.
  const isBefore =
    words.length > 2 &&
    isPair(0) &&
    words[2]!.length > 1 &&
    words.slice(2).some((word) => !suffixes.has(word) && !directions.has(word));
  return isBefore ? [`${words[0]}${words[1]}`, ...words.slice(2)] : words;
}

/** Without words that are also a name, as in `S Park`. */
const typesOfStreet: ReadonlySet<string> = new Set(
  'aly ave blvd cir cswy ct dr expy fwy hwy ln loop pkwy pl plz rd row sq st ter tpke trl way'.split(' '),
);

const spelledOut: ReadonlyMap<string, string> = new Map([
  ['n', 'north'],
  ['s', 'south'],
  ['e', 'east'],
  ['w', 'west'],
]);

/**
 * A direction that is the name: `South Boulevard`, `E St NW`, `Avenue E`. In towns with lettered streets, `S St` is another street than
 * `South St`.
 */
function readNamedDirection(words: readonly string[], short: readonly string[]): StreetName | undefined {
  const behind = short.length > 2 && isDirection(short.at(-1)) ? short.at(-1)! : '';
  const end = behind === '' ? short.length : short.length - 1;
  const before = end > 2 && isDirection(short[0]) ? short[0]! : '';
  const [first, second] = short.slice(end - 2, end);
  if (end - 2 !== (before === '' ? 0 : 1) || first === undefined || second === undefined) return undefined;
  if (first === 'ave' && /^[nsew]$/.test(words[end - 1]!)) return { before, core: `ave ${second}`, suffix: '', behind };
  if (!isDirection(first) || !typesOfStreet.has(second)) return undefined;
  const canBeLettered = (second === 'st' || second === 'ave') && words[end - 2]!.length > 1;
  return { before, core: (canBeLettered ? spelledOut.get(first) : undefined) ?? first, suffix: second, behind };
}

function readRoute(words: readonly string[]): StreetName | undefined {
  const behind = words.length > 2 && isDirection(words.at(-1)) ? words.at(-1)! : '';
  const before = words.length > 2 && isDirection(words[0]) ? words[0]! : '';
  // "N. State" is a direction, "S R 7" is a class: try both.
  for (const first of before === '' ? [''] : [before, '']) {
    const rest = words.slice(first === '' ? 0 : 1, behind === '' ? undefined : -1).join(' ');
    for (const [beginning, route] of routes) {
      if (!beginning.test(rest)) continue;
      // "US 401 Hwy".
      const core = rest.replace(beginning, route).replace(/(\d[a-z]?) hwy$/, '$1');
      return { before: first, core, suffix: '', behind };
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
