import { setTimeout as sleep } from 'node:timers/promises';
import { type FoundPlace, findPlace, type PlacePorts, type PlaceRequest } from '@leeward/http/distance';
import { Problem, type RequestFault } from '@leeward/http/problem';
import type { BatchHome } from './batch-homes.ts';

export type PlacedHome = { readonly home: BatchHome } & (
  | { readonly place: FoundPlace; readonly problem?: undefined }
  | { readonly place?: undefined; readonly problem: RequestFault }
);

/** A geocoder is unavailable, for this home and others. */
export class GeocoderOutage extends Error {
  override readonly name = 'GeocoderOutage';
  readonly line: number;

  constructor(line: number, detail: string) {
    super(detail);
    this.line = line;
  }
}

export interface FindHomeOptions {
  readonly ports: PlacePorts;
  /** Accept a coarser place, or none, during an outage. */
  readonly acceptCoarse: boolean;
  readonly signal: AbortSignal;
  /** Pauses before retries. @default 2, 10 and 35 seconds */
  readonly pausesMs?: readonly number[] | undefined;
}

/** Longer than a short outage and a circuit breaker's cooldown. */
const usualPausesMs = [2_000, 10_000, 35_000];

/**
 * Locates homes, with retries during an outage. If all homes of that time fail, throws a `GeocoderOutage`, because an answer by ZIP code
 * would look final. If others were located, the answer names the problem.
 */
export function createHomeFinder(options: FindHomeOptions): (home: BatchHome) => Promise<PlacedHome> {
  const { acceptCoarse, signal, pausesMs = usualPausesMs } = options;
  let answered = 0;
  return async (home) => {
    if (home.problem !== undefined) return { home, problem: home.problem };
    const answeredBefore = answered;
    for (let tries = 0; ; tries += 1) {
      signal.throwIfAborted();
      const placed = await findOnce(home, home.request, options);
      const outage = outageOf(placed);
      if (outage === undefined) {
        if (placed.place !== undefined && placed.place.source !== 'coordinates') answered += 1;
        return placed;
      }
      if (acceptCoarse) return placed;
      const pauseMs = pausesMs[tries];
      if (pauseMs !== undefined) await sleep(pauseMs, undefined, { signal });
      else if (answered > answeredBefore) return placed;
      else throw new GeocoderOutage(home.line, outage);
    }
  };
}

async function findOnce(
  home: BatchHome,
  request: PlaceRequest,
  { ports, signal }: FindHomeOptions,
): Promise<PlacedHome> {
  try {
    return { home, place: await findPlace(request, ports, signal) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [first] = error.options.errors ?? [];
    return { home, problem: first ?? { path: '', code: error.code, message: error.message } };
  }
}

function outageOf({ place, problem }: PlacedHome): string | undefined {
  if (problem !== undefined) return problem.code === 'unavailable' ? problem.message : undefined;
  return place.warnings.find(({ code }) => code === 'geocoder_unavailable')?.message;
}
