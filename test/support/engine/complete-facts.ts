import type { PropertyInput, Vocabulary } from '@leeward/engine';
import { factIndex } from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { pick, wholeNumber } from '../random.ts';

export type Random = () => number;

/** Place and values of a complete home. Numbers and words come from the rule set where possible, so that tests have both results. */
export function completeFacts(
  file: object,
  vocabulary: Vocabulary,
  effectiveDate: string,
  random: Random,
): Pick<PropertyInput, 'state' | 'counties' | 'values'> {
  const text = JSON.stringify(file);
  const year = Number(effectiveDate.slice(0, 4));
  const constants = [...text.matchAll(/[:[,](-?\d+(?:\.\d+)?)\b/g)].map(([, number]) => Number(number));
  const states = [...text.matchAll(/"states":\[([^\]]*)\]/g)].flatMap(([, list]) => list!.match(/[a-z]{2}/g) ?? []);
  const state = pick(random, states.length > 0 && random() < 0.95 ? states : ['tx', 'fl']);
  const values: Record<string, unknown> = {};
  for (const field of vocabulary.fields) {
    if (field.member) continue;
    const domain = field.domain({ effectiveYear: year });
    if (field.form?.name === 'flag') values[field.name] = random() < 0.5;
    else if (field.form?.name === 'zipcode') values[field.name] = String(wholeNumber(random, 77_540, 77_600));
    else if (domain.kind === 'words') {
      const named = domain.words.filter((word) => text.includes(JSON.stringify(word)));
      values[field.name] = pick(random, named.length > 0 && random() < 0.6 ? named : domain.words);
    } else values[field.name] = numberIn(domain, constants, year, random);
  }
  for (const { name, members } of factIndex(vocabulary).sets.values()) {
    values[name] = members.map(({ member }) => member!.word).filter(() => random() < 0.15);
  }
  for (const list of vocabulary.lists ?? []) {
    values[list.name] = Array.from({ length: pick(random, [0, 0, 1, 1, 2, 3]) }, () =>
      completeItem(list.fields, text, effectiveDate, random),
    );
  }
  const county = pick(random, namedCounties(text, state, random)).fips;
  return { state, counties: [county], values: values as PropertyInput['values'] };
}

/** Counties that the rule set names, now and then, and otherwise any. */
function namedCounties(text: string, state: string, random: Random) {
  const all = countiesOf(state);
  const named = all.filter(({ name, fips }) => text.includes(`"${name}`) || text.includes(fips));
  return named.length > 0 && random() < 0.6 ? named : all;
}

function numberIn(
  { min, max, integer }: { readonly min: number; readonly max: number; readonly integer?: boolean },
  constants: readonly number[],
  year: number,
  random: Random,
): number {
  const near = constants.flatMap((each) => [each, each + 1, each - 1, year - each, year - each - 1, each * 1609.344]);
  const inside = near.filter((each) => each >= min && each <= max && (!integer || Number.isInteger(each)));
  if (inside.length > 0 && random() < 0.7) return pick(random, inside);
  const low = Math.max(min, Math.min(max, max > 3_000 && min > 1_500 ? max - 120 : min));
  return wholeNumber(random, Math.ceil(low), Math.floor(Math.min(max, low + pick(random, [3, 100, 5_000, 500_000]))));
}

type ItemFields = NonNullable<Vocabulary['lists']>[number]['fields'];

function completeItem(
  fields: ItemFields,
  text: string,
  effectiveDate: string,
  random: Random,
): Record<string, unknown> {
  const year = Number(effectiveDate.slice(0, 4));
  return Object.fromEntries(
    fields.map((field): [string, unknown] => {
      switch (field.kind) {
        case 'flag':
          return [field.name, random() < 0.5];
        case 'number':
          return [field.name, pick(random, [0, 4_999, 5_000, 10_000, 15_001, 90_000])];
        case 'date':
          return [
            field.name,
            random() < 0.3
              ? `${year - wholeNumber(random, 0, 7)}${effectiveDate.slice(4)}`
              : `${year - wholeNumber(random, 0, 9)}-0${wholeNumber(random, 1, 9)}-1${wholeNumber(random, 0, 9)}`,
          ];
        default: {
          const named = field.words.filter((word) => text.includes(JSON.stringify(word)));
          return [field.name, pick(random, named.length > 0 && random() < 0.7 ? named : field.words)];
        }
      }
    }),
  );
}
