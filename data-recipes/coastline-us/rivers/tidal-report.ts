import { existsSync, readFileSync } from 'node:fs';
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
import type { HeldOut, WaterProbabilities } from './calibrate-waters.ts';
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
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly heldOut: HeldOut;
  readonly calibration: WaterProbabilities;
}

/** Nearer stations of the other half would give away a held-out one. */
const SAME_PLACE_METERS = 1_000;
const LIMITS_METERS = { '1,000 ft': 1_000 * METERS_PER_FOOT, '1 mi': METERS_PER_MILE, '5 mi': 5 * METERS_PER_MILE };
/** No limit in use applies to homes farther from any shore. */
const NEAR_METERS = 25 * METERS_PER_MILE;

/** Benefit of the evidence, on held-out stations, and its cost. */
export async function tidalReport(
  { network, stations, shore, plainShore, files: shippedFiles, heldOut, calibration }: ReportInput,
  log: (message: string) => void,
): Promise<Record<string, unknown>> {
  const [osm, gshhg] = [readFileSync(coastlineUsFiles.osm), readFileSync(coastlineUsFiles.gshhg)];
  const source = combineCoastlineUs({ osm, gshhg, ...readConflation() });
  const shores = createCoast(source);
  const coastOf = (files: Readonly<Record<string, Uint8Array>>, withLinks = true): Coast => {
    const read = (paths: readonly string[]) => paths.map((path) => decodeShoreline(files[path]!));
    return createCoast(source, {
      certain: read(['noaa/gauges.shoreline', 'ticon/gauges.shoreline', 'osm/tidal-rivers.shoreline']),
      possible: read(['osm/possible-rivers.shoreline', ...(withLinks ? ['osm/gauge-links.shoreline'] : [])]),
    });
  };
  const noaa = stations.filter(({ kind }) => kind === 'noaa_tide');
  const evaluate = (tally: Tally, held: readonly TideStation[], evidence: TidalEvidence): void => {
    const files = evidenceFiles(network.rivers, evidence, calibration, '');
    tally.add({ held, shores, full: coastOf(files), withoutLinks: coastOf(files, false) });
  };
  const byHalf = new Tally();
  const random = createRandom(2026);
  const half = new Map(noaa.map((station) => [station, random() < 0.5]));
  for (const isFirst of [true, false]) {
    const held = noaa.filter((station) => half.get(station) === isFirst);
    const training = stations.filter(
      (station) => half.get(station) === !isFirst || (station.kind !== 'noaa_tide' && !isAmong(station, held)),
    );
    evaluate(byHalf, held, gatherEvidence(network, training, shore, plainShore));
  }
  log(`half held out: ${JSON.stringify(byHalf.shares()['all'])}`);
  const byState = new Tally();
  for (const [state, evidence] of heldOut) {
    const held = noaa.filter((station) => station.state === state);
    evaluate(byState, held, evidence);
  }
  log(`states held out: ${JSON.stringify(byState.shares()['all'])}`);
  const shipped = coastOf(shippedFiles);
  return {
    stations: noaa.length,
    halfHeldOut: byHalf.shares(),
    stateHeldOut: byState.shares(),
    zipPoints: await zipPoints(shores, shipped),
    towns: towns(stations, shores, shipped),
  };
}

function readConflation(): { readonly conflation?: Uint8Array } {
  return existsSync(conflationFile) ? { conflation: readFileSync(conflationFile) } : {};
}

function isAmong(station: TideStation, held: readonly TideStation[]): boolean {
  return held.some(
    (other) =>
      Math.abs(other.latitude - station.latitude) < 0.02 &&
      metersBetween(other.longitude, other.latitude, station.longitude, station.latitude) < SAME_PLACE_METERS,
  );
}

/** A station in the water of our shores is not an error. */
function isReached(station: TideStation, coast: Coast, meters: number): boolean {
  return station.known.side === 'water' || coast.nearest(station).minMeters <= meters;
}

interface Share {
  readonly stations: number;
  /** Reached by the shores alone, within 100 m. */
  readonly shoresAlone: number;
  readonly withoutLinks: number;
  readonly min: number;
  /** Within the error of the station's coordinates, if that is larger. */
  readonly withinOwnError: number;
  readonly medianErrorMeters: number;
  readonly medianRadiusMeters: number;
}

interface Held {
  readonly shoresAlone: boolean;
  readonly withoutLinks: boolean;
  readonly min: boolean;
  readonly withinOwnError: boolean;
  /** Undefined in the water. The distance of the answer at a station is its error. */
  readonly answer: CoastAnswer | undefined;
}

interface HeldCoasts {
  readonly held: readonly TideStation[];
  readonly shores: Coast;
  readonly full: Coast;
  readonly withoutLinks: Coast;
}

/** Held-out stations reached, by state. */
class Tally {
  readonly #held = new Map<string, Held[]>([['all', []]]);

  add({ held, shores, full, withoutLinks }: HeldCoasts): void {
    for (const station of held) {
      const result: Held = {
        shoresAlone: isReached(station, shores, REACHED_METERS),
        withoutLinks: isReached(station, withoutLinks, REACHED_METERS),
        min: isReached(station, full, REACHED_METERS),
        withinOwnError: isReached(station, full, Math.max(REACHED_METERS, station.errorMeters)),
        answer: station.known.side === 'water' ? undefined : full.nearest(station),
      };
      this.#held.set(station.state, [...(this.#held.get(station.state) ?? []), result]);
      this.#held.get('all')!.push(result);
    }
  }

  shares(): Record<string, Share> {
    const shareOf = (held: readonly Held[]): Share => {
      const share = (accepts: (station: Held) => boolean): number => round(held.filter(accepts).length / held.length);
      const answers = held.flatMap(({ answer }) => answer ?? []);
      return {
        stations: held.length,
        shoresAlone: share(({ shoresAlone }) => shoresAlone),
        withoutLinks: share(({ withoutLinks }) => withoutLinks),
        min: share(({ min }) => min),
        withinOwnError: share(({ withinOwnError }) => withinOwnError),
        medianErrorMeters: Math.round(medianOf(answers.map(({ distanceMeters }) => distanceMeters))),
        medianRadiusMeters: Math.round(
          medianOf(answers.map(({ minMeters, maxMeters }) => (maxMeters - minMeters) / 2)),
        ),
      };
    };
    return Object.fromEntries(
      [...this.#held]
        .filter(([state]) => state !== '')
        .sort(([, one], [, other]) => other.length - one.length)
        .map(([state, held]) => [state, shareOf(held)]),
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
