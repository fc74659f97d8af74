import type { z } from 'zod';
import type { Fault } from '../fault/fault.ts';
import { isObject } from '../json/json.ts';
import { createSuggestionBudget, withSuggestions } from '../spelling/suggest.ts';
import { bareSchema } from './bare-schema.ts';
import { type IssueOptions, issueFaults } from './issue-faults.ts';
import { emptyFaults } from './never-empty.ts';
import { schemaKeysAt } from './schema-keys.ts';
import { unknownKeyFaults } from './unknown-keys.ts';
import { withoutBlanks } from './without-blanks.ts';

/** What a request says, or all that is wrong with it. */
export type CheckedRequest<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** A request of more keys than that is not looked into: to check it would take longer than to read it. */
const MAX_KEYS = 1_000;

/**
 * Checks a request against its schema: text left empty is not given, but for fields that may never be empty, and every
 * fault comes back at once; but of thousands of keys that mean nothing, these alone.
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
  const told = withSuggestions(createSuggestionBudget(), () => issueFaults(issues, { ...options, value, keysAt }));
  return { ok: false, faults: [...empty, ...told] };
}

/** What is said of the keys of a request that has far more than its schema knows, and may have no others. */
function wideFaults(schema: z.ZodType, body: unknown): Fault[] | undefined {
  if (!isObject(body)) return undefined;
  const keys = Object.keys(body);
  if (keys.length <= MAX_KEYS) return undefined;
  const bare = bareSchema(schema) as z.ZodObject;
  if (bare.def.type !== 'object' || bare.def.catchall?._zod.def.type !== 'never') return undefined;
  const known = Object.keys(bare.shape);
  const unknown = keys.filter((key) => !Object.hasOwn(bare.shape, key));
  return withSuggestions(createSuggestionBudget(), () => unknownKeyFaults([{ path: [], keys: unknown, known }]).faults);
}
