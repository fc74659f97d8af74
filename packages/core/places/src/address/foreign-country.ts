import { findState } from '../counties/index.ts';

/** ISO 3166. */
const own = new Set(['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'UM']);

const otherNames = [
  'england',
  'scotland',
  'wales',
  'great britain',
  'uk',
  'u k',
  'uae',
  'deutschland',
  'espana',
  'czech republic',
  'holland',
  'republic of ireland',
  'republica dominicana',
  'turkey',
];

// biome-ignore format: one line a kind
const provinces = new Set([
  'ab', 'bc', 'mb', 'nb', 'nl', 'ns', 'nt', 'nu', 'on', 'pe', 'qc', 'sk', 'yt',
  'alberta', 'british columbia', 'manitoba', 'new brunswick', 'newfoundland', 'nova scotia', 'ontario', 'prince edward island', 'quebec', 'saskatchewan', 'yukon',
]);

/** Canadian (M5V 2T6) or British (SW1A 2AA), at the end. */
const postalCode = /\b(?:[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})$/i;

let countries: ReadonlySet<string> | undefined;

/** A country, a Canadian province, or a Canadian or British postal code. Only for texts that end in neither a state nor a ZIP code. */
export function foreignEnding(text: string): string | undefined {
  const code = postalCode.exec(text);
  if (code !== null) return code[0];
  const part = text.slice(text.lastIndexOf(',') + 1);
  const tokens = part.trim().split(' ');
  countries ??= countryNames();
  for (let count = Math.min(4, tokens.length); count > 0; count -= 1) {
    const ending = tokens.slice(-count).join(' ');
    const name = plain(ending);
    if (countries.has(name) || (provinces.has(name) && tokens.length <= 3)) return ending;
  }
  return undefined;
}

function countryNames(): ReadonlySet<string> {
  const names = new Set(otherNames);
  const display = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = own.has(code) ? undefined : display.of(code);
    if (name !== undefined && findState(name) === undefined) names.add(plain(name));
  }
  return names;
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
}
