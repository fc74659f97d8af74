import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GeographicPoint } from '@leeward/coast';
import type { AskShore, KnownShore } from './known-shore.ts';
import { fromOldHawaiianDatum } from './old-hawaiian-datum.ts';

/** A measurement of the tide, or a prediction of its current. */
export interface TideStation {
  readonly name: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly state: string;
  readonly kind: 'noaa_tide' | 'noaa_current' | 'ticon';
  /** By the grid of its published coordinates. */
  readonly errorMeters: number;
  readonly known: KnownShore;
}

/** The fields used of a record of `@neaps/tide-database`. */
interface Entry {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly kind?: string;
  readonly country: string;
  readonly region_code?: string;
  readonly source: { readonly name: string };
  readonly license: { readonly type: string };
  readonly harmonic_constituents: readonly { readonly name: string; readonly amplitude: number }[];
}

const COUNTRIES = new Set([
  'United States',
  'Puerto Rico',
  'Virgin Islands',
  'Guam',
  'Northern Mariana Islands',
  'American Samoa',
]);

/** Sum of a gauge's five largest constituents, in meters; less is a lake's seiche or a river's rhythm. */
const MIN_TIDE_METERS = 0.03;
const MAIN_CONSTITUENTS = ['M2', 'K1', 'O1', 'S2', 'N2'];
/** No tide runs farther up than the Hudson's to Troy; farther gauges are on lakes. */
const MAX_DISTANCE_METERS = 300_000;

/** American stations within the shores' coverage: NOAA (public domain) and TICON-4 (CC BY 4.0; without its CC BY-NC part). */
export async function readTideStations(folder: string, shore: AskShore): Promise<TideStation[]> {
  const database = (await import(pathToFileURL(join(folder, 'dist/node/index.js')).href)) as {
    readonly stations: Iterable<Entry>;
  };
  const stations: TideStation[] = [];
  for (const entry of database.stations) {
    const kind = COUNTRIES.has(entry.country) ? kindOf(entry) : undefined;
    if (kind === undefined) continue;
    const state = entry.country === 'United States' ? (entry.region_code ?? '').replace('US-', '') : entry.country;
    const place = state === 'HI' && kind !== 'ticon' ? placeInHawaii(entry, shore) : placeOf(entry, shore);
    if (place === undefined) continue;
    if (kind !== 'noaa_tide' && place.known.distanceMeters > MAX_DISTANCE_METERS) continue;
    stations.push({ name: entry.name, ...place, state, kind, errorMeters: errorOf(entry) });
  }
  return stations;
}

type Place = Pick<TideStation, 'longitude' | 'latitude' | 'known'>;

function placeOf({ longitude, latitude }: GeographicPoint, shore: AskShore): Place | undefined {
  const known = shore(longitude, latitude);
  return known && { longitude, latitude, known };
}

/**
 * Some of Hawaii's stations are in the Old Hawaiian Datum, unmarked: of 35, 26 are reached unchanged, 28 from that datum, 33 by one of
 * both, 16 when moved the opposite way. Stations are at the water, so the reading nearer to the shore is used.
 */
function placeInHawaii(entry: GeographicPoint, shore: AskShore): Place | undefined {
  const written = placeOf(entry, shore);
  const moved = placeOf(fromOldHawaiianDatum(entry), shore);
  return written && moved && moved.known.distanceMeters < written.known.distanceMeters ? moved : written;
}

function kindOf({ kind, source, license, harmonic_constituents }: Entry): TideStation['kind'] | undefined {
  if (source.name === 'US National Oceanic and Atmospheric Administration') {
    if (license.type !== 'public domain') return undefined;
    return kind === 'current' ? 'noaa_current' : 'noaa_tide';
  }
  if (source.name !== 'TICON-4' || license.type !== 'cc-by-4.0') return undefined;
  const tide = harmonic_constituents
    .filter(({ name }) => MAIN_CONSTITUENTS.includes(name))
    .reduce((sum, { amplitude }) => sum + amplitude, 0);
  return tide >= MIN_TIDE_METERS ? 'ticon' : undefined;
}

/** Steps per degree of written coordinates: degrees, tenths, minutes, hundredths, tenths of minutes, … seconds. */
const GRIDS = [1, 2, 4, 10, 12, 60, 100, 120, 600, 1_000, 3_600];

/** 150 m + 0.6 steps of the coarsest grid of both coordinates, up to 2 km. */
function errorOf({ longitude, latitude }: Pick<Entry, 'longitude' | 'latitude'>): number {
  const sitsOn = (steps: number): boolean =>
    [longitude, latitude].every(
      (degrees) => Math.abs(degrees * steps - Math.round(degrees * steps)) < 1e-4 * Math.max(1, steps / 100),
    );
  const coarsest = GRIDS.find(sitsOn);
  return Math.min(2_000, 150 + (coarsest === undefined ? 0 : (0.6 * 111_000) / coarsest));
}

/** On land, beyond the shores' interval by more than the error of its coordinates: evidence of a missing way of the tide. */
export function isMissed({ known, errorMeters }: TideStation): boolean {
  return known.side !== 'water' && known.minMeters > Math.max(REACHED_METERS, errorMeters);
}

/** An interval within this distance reaches a station. */
export const REACHED_METERS = 100;
