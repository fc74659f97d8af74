import { type Fault, parseRequest, type UnderwritingRequest, type Vocabulary } from '@leeward/engine';
import type { DistancePorts } from '../distance/distance-ports.ts';
import type { KnownDistances } from './known-distances.ts';
import { lookUpDistances } from './look-up-distances.ts';

export interface ReadHomeOptions {
  /** What `as_of` is where the request gives none. */
  readonly now: Date;
  readonly vocabulary?: Vocabulary;
  /**
   * Looks up how far a home with an address or a point is from the shore; a function is called for the first home that has one.
   * Left out, distances stay unknown, with a warning.
   */
  readonly distance?: DistancePorts | (() => Promise<DistancePorts>) | undefined;
  /** Its signal, read only where somebody is asked for the place, breaks that off. */
  readonly caller?: { readonly signal: AbortSignal };
}

/** A home and all that is known of it, or every fault of its request. */
export type ReadHome =
  | { readonly ok: true; readonly request: UnderwritingRequest; readonly known: KnownDistances | undefined }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * The one way from a request to facts: checked and normalized, its place found, its distances measured. Whoever judges homes
 * reads them with this, so that the same home gets the same answer at every door.
 */
export async function readHome(body: unknown, options: ReadHomeOptions): Promise<ReadHome> {
  const { now, vocabulary, distance, caller } = options;
  const parsed = parseRequest(body, vocabulary ? { now, vocabulary } : { now });
  if (!parsed.ok) return parsed;
  const { request } = parsed;
  const hasPlace = request.address !== undefined || request.point !== undefined;
  const ports = typeof distance === 'function' ? (hasPlace ? await distance() : undefined) : distance;
  return { ok: true, ...(await lookUpDistances(request, ports, caller)) };
}
