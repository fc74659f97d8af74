import { checkRequest } from '@leeward/terms';
import type { z } from 'zod';
import { invalidRequest } from '../problem/problem.ts';

/** A body checked against a schema. Throws 422 with every fault at once. */
export function checkBody<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const checked = checkRequest(schema, json);
  if (checked.ok) return checked.request;
  throw invalidRequest(checked.faults);
}
