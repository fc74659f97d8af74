/**
 * A book of labelled houses and of their likely mistakes: the house of the same number on a street with another direction or suffix, or
 * the number without its letter or fraction, or another number of the text. A lookup that states one of these is wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createAddressBookGeocoder, importAddresses, openAddressBook } from '@leeward/address-book';
import type { Geocoder } from '@leeward/places';
import { findState } from '@leeward/places/counties';
import type { ZipGazetteer } from '@leeward/places/zips';
import { isStreetLine, type LabelledAddress, lineZip, numberKey, readText, streetKey } from './labelled-address.ts';

interface House {
  readonly number: string;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
}

/** Compares the house that a lookup states with the labelled one. */
export interface LabelledHouses extends Disposable {
  /** The difference in words; undefined if the house is the labelled one or none is stated. */
  compareLookup(labelled: LabelledAddress): Promise<string | undefined>;
}

/** The labelled house; undefined if the labels lack its number, street or place. */
export function houseOf(labelled: LabelledAddress, zips: ZipGazetteer): House | undefined {
  const { number, street } = labelled;
  if (number === undefined || street === undefined) return undefined;
  const zip = zips.find(isStreetLine(labelled) ? lineZip : (labelled.zip ?? '').slice(0, 5));
  if (zip === undefined) return undefined;
  const state = (labelled.state === undefined ? undefined : findState(labelled.state)?.code) ?? zip.state;
  return { number, street, city: labelled.city ?? zip.city ?? '', state, zip: zip.zip };
}

/**
 * @param options.hasLabelled If false, the book has only the mistakes.
 */
export async function openLabelledHouses(
  addresses: readonly LabelledAddress[],
  zips: ZipGazetteer,
  { hasLabelled }: { readonly hasLabelled: boolean },
): Promise<LabelledHouses> {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-labelled-houses-'));
  const labelledHouses = new Map<string, House>();
  const mistakes = new Map<string, House>();
  const keyInZip = (house: House) => `${keyOf(house)} ${house.zip}`;
  for (const labelled of addresses) {
    const house = houseOf(labelled, zips);
    if (house === undefined) continue;
    labelledHouses.set(keyInZip(house), house);
    for (const mistake of mistakesFor(house, labelled.text)) mistakes.set(keyInZip(mistake), mistake);
  }
  for (const key of labelledHouses.keys()) mistakes.delete(key);
  const houses = hasLabelled ? [...labelledHouses.values(), ...mistakes.values()] : [...mistakes.values()];
  const rows = houses.map((house, index) => {
    const point = zips.find(house.zip)!;
    // Apart from each other, so that no two houses are one place.
    const [east, north] = [(index % 101) / 500, (index % 97) / 500];
    const fields = [
      point.longitude + east,
      point.latitude + north,
      house.number,
      house.street,
      house.city,
      house.state,
      house.zip,
    ];
    return fields.map((field) => `"${String(field).replaceAll('"', '""')}"`).join(',');
  });
  const database = join(folder, 'houses.sqlite');
  const from = Readable.from([`LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n${rows.join('\n')}\n`]);
  await importAddresses({ database, from, source: 'labels' });
  const book = openAddressBook(database);
  const geocoder = createAddressBookGeocoder(book, zips);
  return {
    compareLookup: (labelled) => compareLookup(labelled, geocoder, zips),
    [Symbol.dispose]() {
      book.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function compareLookup(
  labelled: LabelledAddress,
  geocoder: Geocoder,
  zips: ZipGazetteer,
): Promise<string | undefined> {
  const house = houseOf(labelled, zips)!;
  const { address } = readText(labelled, zips);
  if (address === undefined) return undefined;
  const answer = await geocoder.geocode(address);
  if (answer.status !== 'found' || answer.geocode.method !== 'address_point') return undefined;
  const { matchedAddress, zip } = answer.geocode;
  const [, number = '', street = ''] = /^(\S+(?: \d\/\d)?) ([^,]*)/.exec(matchedAddress) ?? [];
  const isSame = keyOf({ number, street }) === keyOf(house) && zip === house.zip;
  return isSame ? undefined : `the lookup states ${matchedAddress}, labelled ${house.number} ${house.street}`;
}

const directionWords = /^(?:[nsew]|[ns][ew]|north|south|east|west|(?:north|south)(?:east|west))\.?$/i;

function mistakesFor(house: House, text: string): readonly House[] {
  const words = house.street.split(' ');
  const plain = words.filter((word) => !directionWords.test(word));
  const streets = [
    plain.join(' '),
    `N ${plain.join(' ')}`,
    `${plain.join(' ')} SE`,
    words.slice(0, -1).join(' '),
    `${words.slice(0, -1).join(' ')} Blvd`,
  ];
  const numbers = [...(house.number.match(/\d+/g) ?? []), ...(text.match(/(?<![\d-])\d{1,5}[A-Z]?(?![\d-])/gi) ?? [])];
  return [
    ...streets.filter((street) => street !== '').map((street) => ({ ...house, street })),
    ...numbers.filter((number) => number !== house.zip).map((number) => ({ ...house, number })),
  ];
}

function keyOf({ number, street }: Pick<House, 'number' | 'street'>): string {
  return `${numberKey(number)} ${streetKey(street)}`;
}
