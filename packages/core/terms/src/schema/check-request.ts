import type { z } from 'zod';
import type { Fault } from '../fault/fault.ts';
import { isObject } from '../json/json.ts';
import { createSuggestionBudget, withSuggestions } from '../spelling/suggest.ts';
import { type IssueOptions, issueFaults } from './issue-faults.ts';
import { emptyFaults } from './never-empty.ts';
import { unknownKeyFaults } from './unknown-keys.ts';
import { withoutBlanks } from './without-blanks.ts';
import { fieldsOf, isStrict, schemaKeysAt } from './zod-schema.ts';

/** A valid request, or all its faults. */
export type CheckedRequest<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Validating more keys would take longer than reading the request. */
const MAX_KEYS = 1_000;

/**
 * Returns all faults at once. Blank text counts as missing, except in fields made by `neverEmpty`. Thousands of unknown keys return only
 * their faults.
 * @example
 * checkRequest(z.strictObject({ name: z.string() }), { name: 'Dana' }); // { ok: true, request: { name: 'Dana' } }
 */
export function checkRequest<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  options: Pick<IssueOptions, 'codeOfWord' | 'isPrivate'> = {},
): CheckedRequest<z.output<Schema>> {
  const wide = wideFaults(schema, body);
  if (wide) return { ok: false, faults: wide };
  const value = withoutBlanks(schema, body);
  const checked = schema.safeParse(value);
  const empty = emptyFaults(schema, body);
  if (checked.success && empty.length === 0) return { ok: true, request: checked.data };
  const keysAt = (path: readonly PropertyKey[]) => schemaKeysAt(schema, path);
  const issues = checked.error?.issues ?? [];
  const faults = withSuggestions(createSuggestionBudget(), () => issueFaults(issues, { ...options, value, keysAt }));
  return { ok: false, faults: [...empty, ...faults] };
}

/** If the schema rejects unknown keys. */
function wideFaults(schema: z.ZodType, body: unknown): Fault[] | undefined {
  if (!isObject(body)) return undefined;
  const keys = Object.keys(body);
  if (keys.length <= MAX_KEYS) return undefined;
  const fields = fieldsOf(schema);
  if (fields === undefined || !isStrict(schema)) return undefined;
  const unknown = keys.filter((key) => !Object.hasOwn(fields, key));
  const place = { path: [], keys: unknown, allowed: Object.keys(fields) };
  return withSuggestions(createSuggestionBudget(), () => unknownKeyFaults([place]).faults);
}
