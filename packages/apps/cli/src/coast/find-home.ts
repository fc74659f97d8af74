import { setTimeout as sleep } from 'node:timers/promises';
import { type FoundPlace, findPlace, type PlacePorts, type PlaceRequest } from '@leeward/http/distance';
import { Problem, type RequestFault } from '@leeward/http/problem';
import type { BatchHome } from './batch-homes.ts';

/** A home with its location, or the reason for its absence. */
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
  /** Takes a coarser place, or none, where a geocoder is away. */
  readonly acceptCoarse: boolean;
  readonly signal: AbortSignal;
  /** Pauses before retries while a geocoder is unavailable. Default: 2, 10 and 35 seconds. */
  readonly pausesMs?: readonly number[] | undefined;
}

/** Longer than a short outage and the cooldown of a circuit breaker. */
const usualPausesMs = [2_000, 10_000, 35_000];

/**
 * Locates homes one by one and retries while a geocoder is unavailable. If it is unavailable for all homes of that
 * time, throws a `GeocoderOutage`, because an answer by ZIP code would look final. If other homes were located, only
 * this one failed, and its answer includes that.
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
