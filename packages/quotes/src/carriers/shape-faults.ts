import { didYouMean, type Fault, pointer, quoteValue } from '@leeward/terms';
import type { z } from 'zod';

/** Turns what a schema found into faults that say what to write. `keysAt` gives the keys that a place may have. */
export function shapeFaults(
  issues: readonly z.core.$ZodIssue[],
  file: unknown,
  keysAt: (path: readonly PropertyKey[]) => readonly string[],
): Fault[] {
  const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys');
  const misspelt = unknown.flatMap((issue) =>
    issue.keys.map((key) => ({ path: issue.path, key, hint: didYouMean(key, keysAt(issue.path)) })),
  );
  const faults: Fault[] = misspelt.map(({ path, key, hint }) => {
    const keys = keysAt(path);
    const known = keys.length === 0 ? '' : ` There are: ${keys.join(', ')}.`;
    const message = `${quoteValue(key)} means nothing here.${known}${hint}`;
    return { path: pointer(...(path as string[]), key), code: 'unknown_key', message };
  });
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') continue;
    const path = issue.path as (string | number)[];
    const value = valueAt(file, path);
    const key = String(path.at(-1));
    if (value === undefined && path.length > 0) {
      // The misspelt key beside it was meant to be this one.
      if (
        misspelt.some(
          (each) =>
            pointer(...(each.path as string[])) === pointer(...path.slice(0, -1)) && each.hint.includes(`"${key}"`),
        )
      ) {
        continue;
      }
      faults.push({
        path: pointer(...path.slice(0, -1)),
        code: 'missing_key',
        message: `The key "${key}" is missing.`,
      });
    } else faults.push({ path: pointer(...path), ...describe(issue, value) });
  }
  return faults;
}

function describe(issue: z.core.$ZodIssue, value: unknown): Omit<Fault, 'path'> {
  const received = quoteValue(value);
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'invalid_type', message: `${received} should be of type ${issue.expected}.` };
    case 'invalid_value':
      return { code: 'invalid_value', message: `${received} should be ${issue.values.map(quoteValue).join(' or ')}.` };
    case 'invalid_format': {
      const wanted =
        issue.format === 'date' ? 'a date as YYYY-MM-DD' : `text like ${String(issue.pattern ?? issue.format)}`;
      return {
        code: issue.format === 'date' ? 'invalid_date' : 'invalid_value',
        message: `${received} should be ${wanted}.`,
      };
    }
    default:
      return { code: 'invalid_value', message: `${received} does not fit: ${issue.message}.` };
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}
