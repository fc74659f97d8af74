import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelledAddress } from './labelled-address.ts';

const folders = ['training', 'measure_performance/test_data'];

/** All labelled addresses of usaddress' files, by file and number. */
export function readLabelledAddresses(folder: string): readonly (LabelledAddress & { readonly id: string })[] {
  return folders.flatMap((each) =>
    readdirSync(join(folder, each))
      .filter((name) => name.endsWith('.xml'))
      .toSorted()
      .flatMap((name) => {
        const xml = readFileSync(join(folder, each, name), 'utf8');
        return [...xml.matchAll(/<AddressString>(.*?)<\/AddressString>/gs)].map((match, index) => ({
          id: `${each}/${name}#${index + 1}`,
          ...readLabels(match[1]!),
        }));
      }),
  );
}

const streetLabels = /^(?:StreetName|CornerOf|IntersectionSeparator|suffix)/;

function readLabels(xml: string): LabelledAddress {
  const tokens = [...xml.matchAll(/<(\w+)>(.*?)<\/\1>/gs)].map((match) => ({
    label: match[1]!,
    word: plain(match[2]!).replace(/[,;]+$/, ''),
  }));
  const join = (label: RegExp) =>
    tokens
      .filter((token) => label.test(token.label))
      .map(({ word }) => word)
      .join(' ') || undefined;
  const street = join(streetLabels);
  return {
    text: plain(xml.replace(/<[^>]*>/g, '')),
    number: join(/^AddressNumber/),
    street,
    ...splitStreet(tokens.filter(({ label }) => streetLabels.test(label))),
    city: join(/^PlaceName$/),
    state: join(/^StateName$/),
    zip: join(/^ZipCode$/),
    isBox: street === undefined && tokens.some(({ label }) => label.startsWith('USPSBox')),
  };
}

/** Direction and suffix by their places: some files label a direction behind the name as one before it. Undefined if none is labelled. */
function splitStreet(
  tokens: readonly { readonly label: string; readonly word: string }[],
): Pick<LabelledAddress, 'before' | 'suffix' | 'behind'> {
  const isDirection = ({ label }: { readonly label: string }) => /Directional$|^suffix$/.test(label);
  if (!tokens.some((token) => isDirection(token) || token.label === 'StreetNamePostType')) return {};
  if (tokens.every((token) => isDirection(token))) return {};
  const first = tokens.findIndex((token) => !isDirection(token));
  const last = tokens.findLastIndex((token) => !isDirection(token));
  const words = (some: typeof tokens) => some.map(({ word }) => word).join(' ');
  const suffix = tokens[last]!;
  // Some files label "North" as a word of the name.
  const isNamed = /^(?:north|south|east|west)/i.test(tokens[first]!.word);
  return {
    before: isNamed && first === 0 ? undefined : words(tokens.slice(0, first)),
    suffix: suffix.label === 'StreetNamePostType' ? suffix.word : '',
    behind: words(tokens.slice(last + 1)),
  };
}

function plain(xml: string): string {
  return xml
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
