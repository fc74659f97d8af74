import type { LabelledAddress } from './labelled-address.ts';

/** Labelled addresses of `test_us_parses` in test_parser.c, in order. */
export function readUsParses(source: string): readonly LabelledAddress[] {
  const start = source.indexOf('TEST test_us_parses');
  const body = source.slice(start, source.indexOf('PASS();', start));
  return body
    .split('CHECK_CALL(')
    .slice(1)
    .map((call) => {
      const [, text = ''] = /^\s*(".*")\s*,$/m.exec(call) ?? [];
      const parts = [...call.matchAll(/\{("\w+"), (".*?")\}/g)].map(([, label, word]) => [
        textOf(label!),
        textOf(word!),
      ]);
      return labelsOf(textOf(text), new Map(parts.map(([label, word]) => [label!, word!])));
    });
}

function labelsOf(text: string, labels: ReadonlyMap<string, string>): LabelledAddress {
  // A borough or a neighborhood is a city in the address.
  const cities = ['suburb', 'city_district', 'city'].flatMap((label) => labels.get(label) ?? []);
  const street = labels.get('road');
  return {
    text,
    number: labels.get('house_number'),
    street,
    city: cities.at(-1),
    otherCities: cities.slice(0, -1),
    state: labels.get('state'),
    zip: labels.get('postcode'),
    isBox: street === undefined && labels.has('po_box'),
  };
}

/** An input of test_expand.c in English, and one of its expansions. */
export interface Expansion {
  /** Name of the test function. */
  readonly test: string;
  readonly input: string;
  readonly expansion: string;
}

export function readExpansions(source: string): readonly Expansion[] {
  return source
    .split(/^TEST /m)
    .slice(1)
    .flatMap((body) => {
      const test = body.slice(0, body.indexOf('('));
      const calls = body.matchAll(
        /expansion_contains\w*\(("(?:.*?)"), ("(?:.*?)"), options(?:, \d+((?:, "\w+")*))?\)/g,
      );
      return [...calls].flatMap(([, input, expansion, languages]) =>
        languages === undefined || languages === '' || languages.includes('"en"')
          ? [{ test, input: textOf(input!), expansion: textOf(expansion!) }]
          : [],
      );
    });
}

/** A word of dictionaries/en/street_types.txt and its abbreviations. */
export function readStreetTypes(source: string): readonly (readonly string[])[] {
  return source
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('|'));
}

function textOf(literal: string): string {
  return literal === '' ? '' : JSON.parse(literal);
}
