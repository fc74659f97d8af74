import { join } from 'node:path';
import { createServedBookGeocoder } from '@leeward/address-book';
import type { MapPorts } from '@leeward/certificate';
import type { Coast } from '@leeward/coast';
import type { DistancePorts } from '@leeward/http/distance';
import type { Geocoder } from '@leeward/places';
import { createGeocoderChain, createPlausibilityCheck } from '@leeward/places/geocoders';
import { createNationalFloodHazardLayer } from '@leeward/places/hazards';
import { createGazetteerGeocoder, loadZipGazetteer } from '@leeward/places/zips';
import { SHIPPED_COASTLINE } from '../settings/coastline-names.ts';
import type { GeocoderSettings } from './geocoder-settings.ts';
import { openCoastlines } from './open-coastlines.ts';

export interface DistanceSettings {
  readonly dataFolder: string;
  /** Default: offline geocoders. */
  readonly geocoders?: GeocoderSettings;
  /** Absolute paths, and `us` for the shipped coastline. @default us */
  readonly coastlines?: readonly string[];
  /** Source of hazards. Default: none. */
  readonly hazards?: { readonly baseUrl: string | undefined } | undefined;
}

export interface OpenOptions {
  /** Maximum wait for a rate-limited geocoder, in ms. @default 2,000 */
  readonly maxWaitMs?: number;
}

/** Path of imported addresses in the data folder. */
export function addressBookPath(dataFolder: string): string {
  return join(dataFolder, 'addresses.sqlite');
}

const offline: GeocoderSettings = [{ kind: 'address_book' }];
const USUAL_WAIT_MS = 2_000;

/** Imported addresses if there are any, online geocoders, then the ZIP gazetteer. */
export async function openGeocoder(
  { dataFolder, geocoders: settings = offline }: DistanceSettings,
  { maxWaitMs = USUAL_WAIT_MS }: OpenOptions = {},
): Promise<Required<Pick<DistancePorts, 'geocoder' | 'cities' | 'gazetteer' | 'geocodeTimeoutMs'>>> {
  const gazetteer = await loadZipGazetteer();
  // Builds the indexes now, not in a request.
  gazetteer.findCity('fl', 'Miami').map((point) => gazetteer.nearest(point, 1));
  const geocoders: Geocoder[] = [];
  // Sum of time limits and waits, so that the gazetteer can still answer.
  let geocodeTimeoutMs = 2_000;
  for (const each of settings) {
    if (each.kind === 'address_book') {
      // Addresses may be imported while a service runs.
      geocoders.push(createServedBookGeocoder(addressBookPath(dataFolder), gazetteer));
    } else {
      const { openOnlineGeocoder } = await import('./open-online-geocoder.ts');
      geocoders.push(openOnlineGeocoder(each, maxWaitMs));
      geocodeTimeoutMs += each.timeoutMs + maxWaitMs;
    }
  }
  geocoders.push(createGazetteerGeocoder(gazetteer));
  const geocoder = createGeocoderChain({ geocoders, isImplausible: createPlausibilityCheck(gazetteer) });
  return { geocoder, cities: gazetteer, gazetteer, geocodeTimeoutMs };
}

/** Ports of distance, with each coastline alone. */
export interface OpenDistances extends DistancePorts {
  readonly coasts: readonly Coast[];
}

/** Coastlines and geocoders, read and indexed. */
export async function openDistances(settings: DistanceSettings, options?: OpenOptions): Promise<OpenDistances> {
  return {
    ...openCoastlines(settings.coastlines ?? [SHIPPED_COASTLINE]),
    ...(await openGeocoder(settings, options)),
    ...(settings.hazards ? { hazards: createNationalFloodHazardLayer(settings.hazards) } : {}),
  };
}

/** Draws maps from the coastline that gave the answer. Undefined without towns. */
export function mapPortsOf({ coasts, gazetteer }: OpenDistances): MapPorts | undefined {
  if (gazetteer === undefined) return undefined;
  return {
    gazetteer,
    coastOf: ({ dataset }) =>
      coasts.find(({ datasets, tidalWaters }) =>
        [...datasets, ...tidalWaters].some(({ name }) => name === dataset.name),
      ),
  };
}
