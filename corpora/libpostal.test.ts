import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAddressFields } from '@leeward/places';
import { readHouseNumber, readStreetLine } from '@leeward/places/address';
import { loadZipGazetteer } from '@leeward/places/zips';
import { it } from 'vitest';
import { readStreetName } from '../packages/extend/address-book/src/street/street-name.ts';
import { suffixes } from '../packages/extend/address-book/src/street/street-words.ts';
import { type Case, holdTo } from './hold-to.ts';
import { compareReading, streetKey } from './labelled-address.ts';
import { type Expansion, readExpansions, readStreetTypes, readUsParses } from './libpostal-cases.ts';
import { openCorpus } from './open-corpus.ts';

const corpus = openCorpus('libpostal');

it.skipIf(corpus === undefined)('reads the addresses and abbreviations of the United States alike', async () => {
  const { folder, isWhole } = corpus!;
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const zips = await loadZipGazetteer();
  const parses = readUsParses(read('test/test_parser.c')).map((labelled, index): Case => {
    const run = () => {
      const reading = compareReading(labelled, zips);
      return reading.outcome === 'right' ? undefined : `${reading.outcome}: ${reading.difference}`;
    };
    return { id: `test/test_parser.c#us-${index + 1}`, run };
  });
  const expansions = readExpansions(read('test/test_expand.c')).map(
    (expansion, index): Case => ({
      id: `test/test_expand.c#${index + 1} ${expansion.input}`,
      run: () => compareExpansion(expansion),
    }),
  );
  const types = readStreetTypes(read('resources/dictionaries/en/street_types.txt')).map(
    (words): Case => ({ id: `street_types.txt ${words[0]}`, run: () => compareSpellings(words) }),
  );
  await holdTo('libpostal', [...parses, ...expansions, ...types], { isWhole });
});

/** An expansion of a part of an address leaves its core: a street without direction and suffix, a unit without its word. */
function compareExpansion({ test, input, expansion }: Expansion): string | undefined {
  const differs = (received: string | undefined) =>
    withoutOrdinals(received ?? '') === withoutOrdinals(expansion)
      ? undefined
      : `read ${JSON.stringify(received)}, expected ${JSON.stringify(expansion)}`;
  switch (test) {
    case 'test_street_root_expansions':
      // The word before a lettered avenue is part of its name here.
      return differs(readStreetName(input)?.core.replace(/^ave (?=[a-z]$)/, ''));
    case 'test_house_number_root_expansions':
      return differs(readHouseNumber(input)?.replace(/(?<=\d)(?=[A-Z])/, ' '));
    case 'test_level_root_expansions':
    case 'test_unit_root_expansions': {
      const { number, street } = readStreetLine(`123 Main St ${input}`);
      return number === '123' && street === 'Main St' ? undefined : `${input} stays in the street: ${street}`;
    }
    case 'test_po_box_root_expansions': {
      const { problem } = readAddressFields({ line1: input, zipcode: '60601' });
      return problem?.code === 'po_box' ? undefined : `${input} is read as a street`;
    }
    default: {
      // The unit and the place are not parts of the street.
      const { number, street } = readStreetLine(input);
      const line = withoutOrdinals(`${number ?? ''} ${writtenName(street)}`);
      const expected = withoutOrdinals(expansion);
      return expected.startsWith(line) ? undefined : `read ${line}, expected ${expected}`;
    }
  }
}

function writtenName(street: string): string {
  const name = readStreetName(street);
  return name === undefined ? '' : `${name.before} ${name.core} ${name.suffix} ${name.behind}`;
}

/** In the spelling of Leeward's street names; `96th` as 96, as libpostal expands it. */
function withoutOrdinals(text: string): string {
  return streetKey(text)!.replace(/\b(\d+)(?:st|nd|rd|th)\b/g, '$1');
}

/** Spellings of one type are one suffix in a street's name too. */
function compareSpellings(words: readonly string[]): string | undefined {
  const [type] = words;
  const suffix = suffixes.get(type!);
  const others = words.filter((word) => suffix !== undefined && suffixes.has(word) && suffixes.get(word) !== suffix);
  const list = others.map((word) => `${word} is ${suffixes.get(word)}`).join(', ');
  return list === '' ? undefined : `${type} is ${suffix}, but ${list}`;
}
