import type { Vocabulary } from '@leeward/engine';
import { distanceNames } from '@leeward/engine/compiled';
import { countiesOf, states } from '@leeward/places/counties';
import { pick, wholeNumber } from '../random.ts';

type Random = () => number;
type Body = Record<string, unknown>;

/** Chances of a random request. */
export interface RequestChances {
  /** Fields that requests may have, by request name. @default all */
  readonly fields?: readonly string[];
  /** That a field is missing. */
  readonly missing: number;
  /** That a field has a fault. */
  readonly faulty: number;
  /** Lower-case codes of states. */
  readonly states: readonly string[];
}

const MS_A_YEAR = 31_536_000_000;
const faults: readonly unknown[] = [
  true,
  'x',
  '',
  ' ',
  -1,
  0.5,
  1e9,
  900,
  '12,5',
  [],
  {},
  '2026-02-30',
  'two',
  '1e3',
  ['x'],
  [7],
];

/** A random request of a line: numbers in and out of text, ages and years, any spelling, and now and then a fault. */
export function randomRequest(random: Random, vocabulary: Vocabulary, chances: RequestChances): Body {
  const state = pick(random, chances.states);
  const body: Body = {
    state: spell(random, random() < 0.5 ? state : states.find(({ code }) => code === state)!.name),
    policy_type: spell(random, pick(random, vocabulary.policyTypes)),
    as_of: new Date(Date.UTC(2026, 0, 1, 12) + Math.floor(random() * MS_A_YEAR * 0.98)).toISOString(),
  };
  if (random() < 0.9)
    body['effective_date'] =
      `2026-${String(wholeNumber(random, 1, 12)).padStart(2, '0')}-${String(wholeNumber(random, 1, 28)).padStart(2, '0')}`;
  if (random() >= chances.missing) body['county'] = randomCounty(random, state);
  for (const field of vocabulary.fields) {
    const { requestName, schema, givenAs, member } = field;
    if (chances.fields && !chances.fields.includes(givenAs ?? requestName)) continue;
    if (random() < chances.missing) continue;
    if (givenAs !== undefined) {
      const [name, , unit] = pick(
        random,
        distanceNames.filter(([, own]) => own === field.name),
      );
      body[name] = Math.round(random() ** 3 * 50 * (unit === 'miles' ? 10 : unit === 'feet' ? 52_800 : 16_093)) / 10;
    } else if (schema && !(requestName in body)) {
      body[requestName] = member ? randomSet(random, vocabulary, member.set) : randomValue(random, field);
    }
  }
  for (const pair of vocabulary.givenTogether) {
    if (random() < 0.99 && pair.some((name) => !(name in body))) for (const name of pair) delete body[name];
  }
  for (const name of Object.keys(body)) if (random() < chances.faulty) body[name] = pick(random, faults);
  return body;
}

function randomValue(random: Random, field: Vocabulary['fields'][number]): unknown {
  const { form, usual, unit } = field;
  const domain = field.domain({ effectiveYear: 2026 });
  if (domain.kind === 'words') {
    const word = pick(random, domain.words);
    return form ? form.write(word) : spell(random, word);
  }
  if (unit === 'year') return random() < 0.5 ? wholeNumber(random, 1900, 2027) : wholeNumber(random, 0, 60);
  const { min, max } = usual ?? domain;
  const limit = Math.min(max, min + 400_000);
  const number = random() < 0.5 ? min + random() * (limit - min) : min + random() ** 3 * (limit - min);
  const value = domain.integer ? Math.round(number) : Math.round(number * 4) / 4;
  if (form) return form.write(Math.max(domain.min, value));
  return random() < 0.1 && value >= 0 ? ` ${value} ` : Math.max(domain.min, value);
}

function randomSet(random: Random, { fields }: Vocabulary, set: string): string[] {
  return fields.flatMap(({ member }) => (member?.set === set && random() < 0.15 ? [spell(random, member.word)] : []));
}

function randomCounty(random: Random, state: string): string {
  const counties = countiesOf(state);
  if (counties.length === 0 || random() < 0.02)
    return pick(random, ['Nowhere', 'Broward', 'Harris County, TX', '48201']);
  const { name, label, fips } = pick(random, counties);
  return pick(random, [
    name,
    label,
    fips,
    label.toUpperCase(),
    `${name} co.`,
    `${label}, ${state}`,
    String(Number(fips)),
  ]);
}

function spell(random: Random, text: string): string {
  return pick(random, [
    text,
    text,
    text.toUpperCase(),
    ` ${text}`,
    text.replaceAll(' ', '-'),
    text.replaceAll(' ', '_'),
  ]);
}
