import { checkRequest } from '@leeward/terms';
import type { z } from 'zod';
import { invalidRequest } from '../problem/problem.ts';

/**
 * Validates a body.
 *
 * @throws {Problem} `invalid_request` with all faults
 *
 * @example
 * const { name } = checkBody(z.object({ name: z.string() }), context.json);
 */
export function checkBody<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const checked = checkRequest(schema, json);
  if (checked.ok) return checked.request;
  throw invalidRequest(checked.faults);
}
