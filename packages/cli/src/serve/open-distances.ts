import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadCoastlineUs } from '@leeward/coastline-us';
import type { DistancePorts } from '@leeward/http';
import type { Geocoder } from '@leeward/places';
import { createAddressBookGeocoder, openAddressBook } from '@leeward/places/address-book';
import { createGeocoderChain, createPlausibilityCheck } from '@leeward/places/geocoders';
import { createGazetteerGeocoder, loadZipGazetteer } from '@leeward/places/zips';

export interface DistanceSettings {
  readonly dataFolder: string;
}

/** Where imported addresses are kept, in the data folder. */
export function addressBookPath(dataFolder: string): string {
  return join(dataFolder, 'addresses.sqlite');
}

/**
 * Distances with no network: the shipped coastline, the imported addresses where there are some, and the ZIP
 * gazetteer. The coastline is read and indexed here, in a few tenths of a second.
 */
export async function openDistances({ dataFolder }: DistanceSettings): Promise<DistancePorts> {
  const gazetteer = await loadZipGazetteer();
  const geocoders: Geocoder[] = [];
  const book = addressBookPath(dataFolder);
  if (existsSync(book)) geocoders.push(createAddressBookGeocoder(openAddressBook(book)));
  geocoders.push(createGazetteerGeocoder(gazetteer));
  return {
    coast: loadCoastlineUs(),
    geocoder: createGeocoderChain({ geocoders, isImplausible: createPlausibilityCheck(gazetteer) }),
    cities: gazetteer,
    gazetteer,
  };
}
