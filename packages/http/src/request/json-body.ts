import type { Arrival } from '../operation/arrival.ts';
import { Problem } from '../problem/problem.ts';
import { requireJson } from './media-type.ts';
import { parseJson } from './parse-json.ts';

/**
 * The body of a request as JSON: media type (415), then size (413), then JSON (400). `undefined` for no body at all
 * where the operation can do without.
 */
export async function jsonBody(arrival: Arrival, mostBytes: number, optional: boolean): Promise<unknown> {
  const type = arrival.header('content-type');
  const encoding = arrival.header('content-encoding');
  if (type !== null || encoding !== null) requireJson(type, encoding);
  const bytes = await arrival.readBody(type === null ? 0 : mostBytes).catch((error: unknown) => {
    // Something was sent without saying what it is.
    if (type === null && error instanceof Problem) requireJson(type, encoding);
    throw error;
  });
  return optional && bytes.byteLength === 0 ? undefined : parseJson(bytes);
}
