import type { z } from 'zod';
import type { RequestFault } from '../problem/problem.ts';
import { invalidRequest } from '../problem/usual-problems.ts';

/** A body checked against a schema. Throws 422 with every fault at once. */
export function checkBody<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const checked = schema.safeParse(json);
  if (checked.success) return checked.data;
  throw invalidRequest(checked.error.issues.flatMap(faultsOf));
}

function faultsOf(issue: z.core.$ZodIssue): RequestFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: jsonPointer([...issue.path, key]),
      code: 'unknown_field',
      message: `${JSON.stringify(key.slice(0, 100).toWellFormed())} is not a field here.`,
    }));
  }
  const code = issue.code === 'custom' ? String(issue.params?.['code'] ?? 'invalid') : issue.code;
  return [{ path: jsonPointer(issue.path), code, message: issue.message }];
}

/** A JSON Pointer (RFC 6901) of a path of keys. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
    .toWellFormed();
}
