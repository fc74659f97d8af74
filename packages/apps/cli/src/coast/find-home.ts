import { setTimeout as sleep } from 'node:timers/promises';
import { type FoundPlace, findPlace, type PlacePorts, type PlaceRequest } from '@leeward/http/distance';
import { Problem, type RequestFault } from '@leeward/http/problem';
import type { BatchHome } from './batch-homes.ts';

/** Where a home stands, or why nobody can say. */
export type PlacedHome = { readonly home: BatchHome } & (
  | { readonly place: FoundPlace; readonly problem?: undefined }
  | { readonly place?: undefined; readonly problem: RequestFault }
);

/** A geocoder is away, and that is not this home's fault. */
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
  /** What is waited before each further try of a home whose geocoder was away. Default: 2, 10 and 35 seconds. */
  readonly pausesMs?: readonly number[] | undefined;
}

/** Outlast a hiccup, and the pause of a circuit breaker. */
const usualPausesMs = [2_000, 10_000, 35_000];

/**
 * Finds homes one by one, each tried again while a geocoder is away. Where it stays away for every home asked meanwhile, a
 * `GeocoderOutage` is thrown: an answer by the ZIP code would look as good as any, and would never be asked again. Where
 * others were answered, it is this home alone, and its answer says so.
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
