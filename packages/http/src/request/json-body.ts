import type { Incoming } from '../operation/incoming.ts';
import { Problem } from '../problem/problem.ts';
import { requireJson } from './media-type.ts';

/** Reads the body of a request that must be JSON: media type (415), then size (413). Empty where there is none. */
export async function readJsonBody(incoming: Incoming, maxBytes: number): Promise<Uint8Array> {
  const type = incoming.header('content-type');
  const encoding = incoming.header('content-encoding');
  if (type !== null || encoding !== null) requireJson(type, encoding);
  return incoming.readBody(type === null ? 0 : maxBytes).catch((error: unknown) => {
    // Something was sent without saying what it is.
    if (type === null && error instanceof Problem) requireJson(type, encoding);
    throw error;
  });
}

/** How much may still come: what is declared, else as much as may come at all. */
export function bodyLength(incoming: Incoming, maxBytes: number): number {
  const declared = incoming.header('content-length');
  if (declared === null) return incoming.header('transfer-encoding') === null ? 0 : maxBytes;
  const length = Number(declared);
  return length <= maxBytes ? length : maxBytes;
}
