import { checkRequest } from '@leeward/terms';
import type { z } from 'zod';
import { AdministrationError } from '../administration-error.ts';

/**
 * Faults name only the kind of a value, which may be personal data.
 *
 * @throws {AdministrationError} `invalid_request` with all faults.
 */
export function parseRequest<Request>(schema: z.ZodType<Request>, body: unknown): Request {
  const checked = checkRequest(schema, body ?? {}, { isPrivate: true });
  if (checked.ok) return checked.request;
  throw new AdministrationError('invalid_request', checked.faults);
}
