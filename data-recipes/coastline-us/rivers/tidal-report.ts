import { readFileSync } from 'node:fs';
import {
  type Coast,
  type CoastAnswer,
  CoastError,
  createCoast,
  decodeShoreline,
  METERS_PER_FOOT,
  METERS_PER_MILE,
} from '@leeward/coast';
import { createPointIndex } from '@leeward/coast/points';
import { coastlineUsFiles, combineCoastlineUs, conflationFile } from '@leeward/coastline-us';
import { loadZipGazetteer } from '@leeward/places/zips';
import { createRandom } from '../../../test/support/random.ts';
import type { AskShore } from './known-shore.ts';
import { metersBetween } from './plane.ts';
import type { RiverNetwork } from './river-network.ts';
import { gatherEvidence, type TidalEvidence } from './tidal-evidence.ts';
import { TIDAL_TOWNS } from './tidal-towns.ts';
import { REACHED_METERS, type TideStation } from './tide-stations.ts';
import { evidenceFiles } from './write-evidence.ts';

export interface ReportInput {
  readonly network: RiverNetwork;
  readonly stations: readonly TideStation[];
  readonly shore: AskShore;
  readonly plainShore: AskShore;
  /** From all stations: the shipped data. */
  readonly evidence: TidalEvidence;
}

/** Nearer stations of the other half would give away a held-out one. */
const SAME_PLACE_METERS = 1_000;
const SPLITS = 5;
const STATES = ['SC', 'GA', 'NC', 'FL', 'TX', 'LA', 'NJ', 'VA', 'WA', 'OR', 'CA', 'ME', 'HI'];
const LIMITS_METERS = { '1,000 ft': 1_000 * METERS_PER_FOOT, '1 mi': METERS_PER_MILE, '5 mi': 5 * METERS_PER_MILE };
/** No limit in use applies to homes farther from any shore. */
const NEAR_METERS = 25 * METERS_PER_MILE;

const indexes = () =>
  combineCoastlineUs({
    osm: readFileSync(coastlineUsFiles.osm),
    gshhg: readFileSync(coastlineUsFiles.gshhg),
    conflation: readFileSync(conflationFile),
  });

/** Benefit of the evidence, on held-out stations, and its cost. */
export async function tidalReport(
  { network, stations, plainShore, evidence }: ReportInput,
  log: (message: string) => void,
): Promise<Record<string, unknown>> {
  const source = indexes();
  const shores = createCoast(source);
  const coastOf = (gathered: TidalEvidence, withLinks = true): Coast => {
    const files = evidenceFiles(network.rivers, gathered, '');
    const read = (paths: readonly string[]) => paths.map((path) => decodeShoreline(files[path]!));
    return createCoast(source, {
      certain: read(['noaa/gauges.shoreline', 'ticon/gauges.shoreline', 'osm/tidal-rivers.shoreline']),
      possible: read(['osm/possible-rivers.shoreline', ...(withLinks ? ['osm/gauge-links.shoreline'] : [])]),
    });
  };
  const noaa = stations.filter(({ kind }) => kind === 'noaa_tide');
  const today = coverage(noaa, shores);
  log(`today ${JSON.stringify(today)}`);

  const heldOut = (held: readonly TideStation[], training: readonly TideStation[], share = 1) => {
    const gathered = gatherEvidence(network, training, plainShore, share);
    return {
      held,
      full: coastOf(gathered),
      withoutLinks: coastOf(gathered, false),
    };
  };
  const byHalf = new Tally();
  const random = createRandom(2026);
  for (let split = 0; split < SPLITS; split++) {
    const half = new Map(noaa.map((station) => [station, random() < 0.5]));
    for (const isFirst of [true, false]) {
      const held = noaa.filter((station) => half.get(station) === isFirst);
      const training = stations.filter(
        (station) => half.get(station) === !isFirst || (station.kind !== 'noaa_tide' && !isAmong(station, held)),
      );
      byHalf.add(heldOut(held, training, 0.5));
    }
    log(`half held out, split ${split + 1}: ${JSON.stringify(byHalf.shares(['SC', 'GA', 'NC', 'FL', 'NJ', 'VA']))}`);
  }
  const byState = new Tally();
  for (const state of new Set(noaa.map((station) => station.state))) {
    byState.add(
      heldOut(
        noaa.filter((station) => station.state === state),
        stations.filter((station) => station.state !== state),
      ),
    );
  }
  log(`states held out: ${JSON.stringify(byState.shares([]))}`);
  const shipped = coastOf(evidence);
  return {
    stations: noaa.length,
    coverageToday: today,
    halfHeldOut: byHalf.shares(STATES),
    stateHeldOut: byState.shares(STATES),
    zipPoints: await zipPoints(shores, shipped),
    towns: towns(stations, shores, shipped),
  };
}

function isAmong(station: TideStation, held: readonly TideStation[]): boolean {
  return held.some(
    (other) =>
      Math.abs(other.latitude - station.latitude) < 0.02 &&
      metersBetween(other.longitude, other.latitude, station.longitude, station.latitude) < SAME_PLACE_METERS,
  );
}

/** A station in the water of our shores is not an error. */
function isReached(station: TideStation, coast: Coast): boolean {
  return station.known.side === 'water' || coast.nearest(station).minMeters <= REACHED_METERS;
}

function coverage(stations: readonly TideStation[], coast: Coast): Record<string, number> {
  const share = (some: readonly TideStation[]): number =>
    round(some.filter((station) => isReached(station, coast)).length / some.length);
  return { all: share(stations), SC: share(stations.filter(({ state }) => state === 'SC')) };
}

interface Count {
  stations: number;
  min: number;
  withoutLinks: number;
  /** Stations on land: the distance of the answer is its error; and half the interval. */
  readonly errorsMeters: number[];
  readonly radiiMeters: number[];
}

interface Share {
  readonly min: number;
  readonly withoutLinks: number;
  readonly medianErrorMeters: number;
  readonly medianRadiusMeters: number;
}

/** Held-out stations reached, by state: by `min`, and by rivers and gauges alone. */
class Tally {
  readonly #counts = new Map<string, Count>();

  add({ held, full, withoutLinks }: { held: readonly TideStation[]; full: Coast; withoutLinks: Coast }): void {
    for (const station of held) {
      for (const key of ['all', station.state]) {
        const count = this.#counts.get(key) ?? {
          stations: 0,
          min: 0,
          withoutLinks: 0,
          errorsMeters: [],
          radiiMeters: [],
        };
        this.#counts.set(key, count);
        count.stations++;
        count.min += Number(isReached(station, full));
        count.withoutLinks += Number(isReached(station, withoutLinks));
        if (station.known.side === 'water') continue;
        const { distanceMeters, minMeters, maxMeters } = full.nearest(station);
        count.errorsMeters.push(distanceMeters);
        count.radiiMeters.push((maxMeters - minMeters) / 2);
      }
    }
  }

  shares(states: readonly string[]): Record<string, Share> {
    return Object.fromEntries(
      ['all', ...states].flatMap((key) => {
        const count = this.#counts.get(key);
        if (count === undefined) return [];
        return [
          [
            key,
            {
              min: round(count.min / count.stations),
              withoutLinks: round(count.withoutLinks / count.stations),
              medianErrorMeters: Math.round(medianOf(count.errorsMeters)),
              medianRadiusMeters: Math.round(medianOf(count.radiiMeters)),
            },
          ],
        ];
      }),
    );
  }
}

/** Cost of the evidence: ZIP points near the shore whose interval spans a limit only with it. */
async function zipPoints(before: Coast, after: Coast): Promise<Record<string, unknown>> {
  const gazetteer = await loadZipGazetteer();
  const undecided: Record<string, number> = {};
  const places = new Set<string>();
  const radii: number[] = [];
  for (let zip = 0; zip < 100_000; zip++) {
    const point = gazetteer.find(String(zip).padStart(5, '0'));
    if (point === undefined || places.has(`${point.latitude} ${point.longitude}`)) continue;
    places.add(`${point.latitude} ${point.longitude}`);
    const [was, is] = [answerOf(before, point), answerOf(after, point)];
    if (was === undefined || is === undefined || was.distanceMeters > NEAR_METERS) continue;
    radii.push((is.maxMeters - is.minMeters) / 2);
    for (const [limit, meters] of Object.entries(LIMITS_METERS)) {
      const spans = ({ minMeters, maxMeters }: CoastAnswer): boolean => minMeters < meters && maxMeters >= meters;
      undecided[limit] = (undecided[limit] ?? 0) + Number(spans(is) && !spans(was));
    }
  }
  radii.sort((one, other) => one - other);
  return { points: radii.length, newlyUndecided: undecided, medianRadiusMeters: Math.round(radii[radii.length >> 1]!) };
}

function answerOf(
  coast: Coast,
  point: { readonly latitude: number; readonly longitude: number },
): CoastAnswer | undefined {
  try {
    return coast.nearest(point);
  } catch (error) {
    if (error instanceof CoastError) return undefined;
    throw error;
  }
}

function towns(stations: readonly TideStation[], before: Coast, after: Coast): Record<string, unknown> {
  const index = createPointIndex(
    Float64Array.from(stations.flatMap(({ longitude, latitude }) => [longitude, latitude])),
  );
  const rows = TIDAL_TOWNS.map((town) => {
    const [was, is] = [before.nearest(town), after.nearest(town)];
    const away = (station: TideStation): number =>
      metersBetween(town.longitude, town.latitude, station.longitude, station.latitude);
    const nearest = stations[index.nearest(town)[0]!.number]!;
    return {
      town: `${town.name} ${town.state}, ${town.water}`,
      before: [was.minMeters, was.distanceMeters, was.maxMeters].map(Math.round).join(' … '),
      after: [is.minMeters, is.distanceMeters, is.maxMeters].map(Math.round).join(' … '),
      station: `${nearest.name} (${nearest.kind}), ${(away(nearest) / 1000).toFixed(1)} km`,
      wasBeyond: was.minMeters > METERS_PER_MILE,
      isBeyond: is.minMeters > METERS_PER_MILE,
    };
  });
  return {
    count: rows.length,
    whollyBeyondAMileBefore: rows.filter(({ wasBeyond }) => wasBeyond).length,
    whollyBeyondAMile: rows.filter(({ isBeyond }) => isBeyond).map(({ town }) => town),
    rows: rows.map(({ town, before: was, after: is, station }) => `${town}: ${was} → ${is}; ${station}`),
  };
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN;
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
