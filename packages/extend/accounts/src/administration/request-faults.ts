import { checkRequest } from '@leeward/terms';
import type { z } from 'zod';
import { AdministrationError } from '../administration-error.ts';

/**
 * Returns the parsed request. Faults name only the kind of a value, because values may be names and addresses of
 * people.
 *
 * @throws {AdministrationError} `invalid_request` with all faults.
 */
export function parseRequest<Request>(schema: z.ZodType<Request>, body: unknown): Request {
  const checked = checkRequest(schema, body ?? {}, { isPrivate: true });
  if (checked.ok) return checked.request;
  throw new AdministrationError('invalid_request', checked.faults);
}
