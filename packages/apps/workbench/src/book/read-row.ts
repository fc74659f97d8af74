import type { BookEvaluatorOptions } from '@leeward/books/evaluate';
import { parseRequest } from '@leeward/engine';

const notLookedUp = {
  code: 'distance_not_looked_up',
  path: '',
  message: 'Places are not looked up in this page; give distance_to_coast_miles.',
};

/** Locates no addresses: only the service can, and the page does not send the book. */
export const readRow =
  (now: Date): BookEvaluatorOptions['readRow'] =>
  async (body) => {
    const parsed = parseRequest(body, { now });
    if (!parsed.ok) return parsed;
    const { property, warnings, address, point } = parsed.request;
    const isPlaced = address !== undefined || point !== undefined;
    return { ok: true, property, warnings: isPlaced ? [...warnings, notLookedUp] : warnings };
  };
