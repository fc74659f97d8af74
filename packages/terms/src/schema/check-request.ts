import type { z } from 'zod';
import type { Fault } from '../fault/fault.ts';
import { createSuggestionBudget, withSuggestions } from '../spelling/suggest.ts';
import { type IssueOptions, issueFaults } from './issue-faults.ts';
import { emptyFaults } from './never-empty.ts';
import { schemaKeysAt } from './schema-keys.ts';
import { withoutBlanks } from './without-blanks.ts';

/** What a request says, or all that is wrong with it. */
export type CheckedRequest<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Checks a request against its schema: text left empty is not given, but for fields that may never be empty, and every
 * fault comes back at once.
 */
export function checkRequest<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  options: Pick<IssueOptions, 'codeOfWord' | 'isPrivate'> = {},
): CheckedRequest<z.output<Schema>> {
  const value = withoutBlanks(schema, body);
  const checked = schema.safeParse(value);
  const empty = emptyFaults(schema, body);
  if (checked.success && empty.length === 0) return { ok: true, request: checked.data };
  const keysAt = (path: readonly PropertyKey[]) => schemaKeysAt(schema, path);
  const issues = checked.error?.issues ?? [];
  const told = withSuggestions(createSuggestionBudget(), () => issueFaults(issues, { ...options, value, keysAt }));
  return { ok: false, faults: [...empty, ...told] };
}
