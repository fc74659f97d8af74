import { checkRequest } from '@leeward/terms';
import type { z } from 'zod';
import { AdministrationError } from '../administration-error.ts';

/**
 * What the request says, or all its faults at once. Values received are told by kind only: they may be names and
 * addresses of people.
 *
 * @throws {AdministrationError} `invalid_request`
 */
export function parseRequest<Request>(schema: z.ZodType<Request>, body: unknown): Request {
  const checked = checkRequest(schema, body ?? {}, { isPrivate: true });
  if (checked.ok) return checked.request;
  throw new AdministrationError('invalid_request', checked.faults);
}
