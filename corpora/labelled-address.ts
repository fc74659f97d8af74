/**
 * Compares what Leeward reads in an address with the parts that a person labelled.
 *
 * Outcomes, from best to worst: `right`; `refused` (a problem with its reason); `coarse` (no house number read, so that no house can be
 * stated); `wrong` (a part differs, and a wrong house could be located).
 */
import { type CityLookup, readAddressFields, type SplitAddress, splitAddress } from '@leeward/places';
import { placeKey, readStreetLine, readZip } from '@leeward/places/address';
import { findState } from '@leeward/places/counties';
import { readStreetName } from '../packages/extend/address-book/src/street/street-name.ts';
import { directions, otherWords, suffixes } from '../packages/extend/address-book/src/street/street-words.ts';

/** Parts as labelled; undefined if the address lacks one. */
export interface LabelledAddress {
  readonly text: string;
  readonly number: string | undefined;
  /** Whole name, with directions and suffix. */
  readonly street: string | undefined;
  /** If the labels separate them. */
  readonly suffix?: string | undefined;
  readonly before?: string | undefined;
  readonly behind?: string | undefined;
  readonly city: string | undefined;
  /** Labelled as districts of the city. */
  readonly otherCities?: readonly string[];
  readonly state: string | undefined;
  readonly zip: string | undefined;
  /** A PO box without a street. */
  readonly isBox: boolean;
}

export type Reading =
  | { readonly outcome: 'right' }
  | { readonly outcome: 'refused' | 'coarse' | 'wrong'; readonly difference: string };

/** Place of a text that is a street line only: the address in fields needs one. */
export const lineZip = '60601';

export function isStreetLine({ city, state, zip }: LabelledAddress): boolean {
  return city === undefined && state === undefined && zip === undefined;
}

export function readText(labelled: LabelledAddress, cities: CityLookup): SplitAddress {
  return isStreetLine(labelled)
    ? readAddressFields({ line1: labelled.text, zipcode: lineZip }, cities)
    : splitAddress(labelled.text, cities);
}

export function compareReading(labelled: LabelledAddress, cities: CityLookup): Reading {
  const { city, state, zip } = labelled;
  const { address, problem } = readText(labelled, cities);
  if (problem !== undefined) {
    if (problem.code === 'po_box' && labelled.isBox) return { outcome: 'right' };
    return { outcome: 'refused', difference: `${problem.code}: ${problem.message}` };
  }
  const wrong: string[] = [];
  const check = (part: string, read: string | undefined, label: string | undefined, isSame: boolean) => {
    if (read !== undefined && !isSame)
      wrong.push(`${part} ${JSON.stringify(read)} is labelled ${JSON.stringify(label)}`);
  };
  if (!isStreetLine(labelled)) {
    check('zip', address.zip, zip, zip === undefined || address.zip === readZip(zip.replace(/[\u2014.].*$/, '')));
    check('state', address.state, state, state === undefined || address.state === findState(state)?.code);
    const cityNames = [city, ...(labelled.otherCities ?? [])].filter((name) => name !== undefined);
    check('city', address.city, city, cityNames.map(placeKey).includes(placeKey(address.city ?? '')));
  }
  const line = readStreetLine(address.line1 ?? '');
  const { number } = line;
  const street = line.street === '' ? undefined : line.street;
  check('number', number, labelled.number, numberKey(number) === numberKey(labelled.number));
  if (number === undefined && labelled.number !== undefined && wrong.length === 0) {
    return { outcome: 'coarse', difference: `no number in ${JSON.stringify(street)}, labelled ${labelled.number}` };
  }
  const [key, label] = [streetKey(street), streetKey(labelled.street)];
  check('street', street, labelled.street, key === label);
  const name = readStreetName(street ?? '');
  if (name !== undefined && key === label) {
    check('before', name.before, labelled.before, [undefined, name.before].includes(streetKey(labelled.before)));
    check('behind', name.behind, labelled.behind, [undefined, name.behind].includes(streetKey(labelled.behind)));
    // Some words are a suffix or a part of the name: "Central Park".
    const isOther = name.suffix !== '' && labelled.suffix !== '' && name.suffix !== streetKey(labelled.suffix);
    check('suffix', name.suffix, labelled.suffix, labelled.suffix === undefined || !isOther);
  }
  if (wrong.length === 0) return { outcome: 'right' };
  // A text without a number states no house. A name with further words is found in no book.
  const isStreetOnly = wrong.every((each) => each.startsWith('street'));
  const isLonger = label !== undefined && key !== undefined && ` ${key} `.includes(` ${label} `);
  const outcome = isStreetOnly && (number === undefined || isLonger) ? 'coarse' : 'wrong';
  return { outcome, difference: wrong.join('; ') };
}

export function numberKey(number: string | undefined): string | undefined {
  return number
    ?.normalize('NFKD')
    .toUpperCase()
    .replace('\u2044', '/')
    .replace(/[^A-Z0-9/]/g, '')
    .replace(/^0+/, '');
}

export function streetKey(street: string | undefined): string | undefined {
  return street
    ?.toLowerCase()
    .replace(/['’]/g, '')
    .replace(/(?<=\b[ns])\. ?(?=[ew]\b)/g, '')
    .replace(/\b([ns]) ([ew])$/, '$1$2')
    .replace(/(?<=(?:highway|hwy|route)) no\.? (?=\d)/, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map((word) => directions.get(word) ?? suffixes.get(word) ?? otherWords.get(word) ?? word)
    .join(' ');
}
