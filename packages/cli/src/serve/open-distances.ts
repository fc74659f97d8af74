import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadCoastlineUs } from '@leeward/coastline-us';
import type { DistancePorts } from '@leeward/http';
import type { Geocoder } from '@leeward/places';
import { createAddressBookGeocoder, openAddressBook } from '@leeward/places/address-book';
import { createGeocoderChain, createPlausibilityCheck } from '@leeward/places/geocoders';
import { createGazetteerGeocoder, loadZipGazetteer, type ZipGazetteer } from '@leeward/places/zips';

export interface DistanceSettings {
  readonly dataFolder: string;
}

/** Where imported addresses are kept, in the data folder. */
export function addressBookPath(dataFolder: string): string {
  return join(dataFolder, 'addresses.sqlite');
}

/** Geocoding with no network: the imported addresses where there are some, then the ZIP gazetteer. */
export async function openGeocoder(
  dataFolder: string,
): Promise<{ readonly geocoder: Geocoder; readonly gazetteer: ZipGazetteer }> {
  const gazetteer = await loadZipGazetteer();
  const geocoders: Geocoder[] = [];
  const book = addressBookPath(dataFolder);
  if (existsSync(book)) geocoders.push(createAddressBookGeocoder(openAddressBook(book)));
  geocoders.push(createGazetteerGeocoder(gazetteer));
  return { geocoder: createGeocoderChain({ geocoders, isImplausible: createPlausibilityCheck(gazetteer) }), gazetteer };
}

/** Distances with no network. The shipped coastline is read and indexed here, in a few tenths of a second. */
export async function openDistances({ dataFolder }: DistanceSettings): Promise<DistancePorts> {
  const { geocoder, gazetteer } = await openGeocoder(dataFolder);
  return { coast: loadCoastlineUs(), geocoder, cities: gazetteer, gazetteer };
}
