import { Problem } from '../problem/problem.ts';
import { requireJson } from './media-type.ts';
import { parseJson } from './parse-json.ts';
import { readBody } from './read-body.ts';

/**
 * The body of a request as JSON: media type (415), then size (413), then JSON (400). `undefined` for no body at all
 * where the operation can do without.
 */
export async function jsonBody(request: Request, mostBytes: number, optional: boolean): Promise<unknown> {
  const typed = request.headers.has('content-type');
  if (typed || request.headers.has('content-encoding')) requireJson(request.headers);
  const bytes = await readBody(request, typed ? mostBytes : 0).catch((error: unknown) => {
    // Something was sent without saying what it is.
    if (!typed && error instanceof Problem) requireJson(request.headers);
    throw error;
  });
  return optional && bytes.byteLength === 0 ? undefined : parseJson(bytes);
}
