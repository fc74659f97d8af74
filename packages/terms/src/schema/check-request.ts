import type { z } from 'zod';
import type { Fault } from '../fault/fault.ts';
import { type IssueOptions, issueFaults } from './issue-faults.ts';
import { schemaKeysAt } from './schema-keys.ts';
import { withoutBlanks } from './without-blanks.ts';

/** What a request says, or all that is wrong with it. */
export type CheckedRequest<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Checks a request against its schema: text left empty is not given, and every fault comes back at once. */
export function checkRequest<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  options: Pick<IssueOptions, 'codeOfWord' | 'isPrivate'> = {},
): CheckedRequest<z.output<Schema>> {
  const value = withoutBlanks(schema, body);
  const checked = schema.safeParse(value);
  if (checked.success) return { ok: true, request: checked.data };
  const keysAt = (path: readonly PropertyKey[]) => schemaKeysAt(schema, path);
  return { ok: false, faults: issueFaults(checked.error.issues, { ...options, value, keysAt }) };
}
