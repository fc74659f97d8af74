import { type Fault, issueFaults, schemaKeysAt } from '@leeward/terms';
import type { z } from 'zod';

export function shapeFaults(schema: z.ZodType, issues: readonly z.core.$ZodIssue[], file: unknown): Fault[] {
  return issueFaults(issues, { value: file, of: 'file', keysAt: (path) => schemaKeysAt(schema, path), codeOfWord });
}

/** As in requests. */
function codeOfWord(path: readonly PropertyKey[]): string | undefined {
  const list = path.findLast((key) => typeof key === 'string');
  if (list === 'form_types') return 'unknown_policy_type';
  return list === 'states' ? 'unknown_state' : undefined;
}
