import { didYouMean, type Fault, pointer, quoteValue, suggest, valueAt } from '@leeward/terms';
import type { z } from 'zod';

const keysOfPlace: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^$/,
    [
      '$schema',
      'format',
      'carrier',
      'line',
      'version',
      'effective',
      'conditions',
      'outcomes',
      'rules',
      'programs',
      'moratoria',
    ],
  ],
  [/^\/carrier$/, ['key', 'name']],
  [/^\/effective$/, ['from', 'until']],
  [
    /^(\/programs\/\d+)?\/rules\/\d+$/,
    ['id', 'outcome', 'code', 'message', 'when', 'unless', 'conditions', 'event', 'name', 'priority'],
  ],
  [/^\/programs\/\d+$/, ['id', 'policy_types', 'states', 'counties', 'rules']],
  [/^\/moratoria\/\d+$/, ['id', 'from', 'until', 'states', 'counties', 'policy_types', 'message']],
  [/\/counties\/[^/]+$/, ['include', 'exclude']],
  [
    /\/(when|unless|conditions|not|(all|any)\/\d+)(\/|$)|^\/conditions\//,
    ['all', 'any', 'not', 'condition', 'fact', 'operator', 'value', 'path', 'params'],
  ],
];

/** Turns what the schema found into faults that say what to write. */
export function shapeFaults(issues: readonly z.core.$ZodIssue[], file: unknown): Fault[] {
  const faults: Fault[] = [];
  /** Keys that a misspelt key beside them was meant to be: not reported missing as well. */
  const meant = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const parent = pointer(...(issue.path as (string | number)[]));
    const keys = keysOfPlace.find(([place]) => place.test(parent))?.[1] ?? [];
    for (const key of issue.keys) {
      const nearest = suggest(key, keys);
      if (nearest !== undefined) meant.add(`${parent}${pointer(nearest)}`);
      const message = `${quoteValue(key)} means nothing here; there are: ${keys.join(', ')}.${didYouMean(key, keys)}`;
      faults.push({ path: `${parent}${pointer(key)}`, code: 'unknown_key', message });
    }
  }
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') continue;
    const path = issue.path as (string | number)[];
    const value = valueAt(file, path);
    if (value === undefined && path.length > 0) {
      if (meant.has(pointer(...path))) continue;
      const parent = pointer(...path.slice(0, -1));
      faults.push({ path: parent, code: 'missing_key', message: `The key "${String(path.at(-1))}" is missing.` });
      continue;
    }
    faults.push({ path: pointer(...path), ...describe(issue, value) });
  }
  return faults;
}

function describe(issue: z.core.$ZodIssue, value: unknown): Omit<Fault, 'path'> {
  const received = quoteValue(value);
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'invalid_type', message: `${received} should be of type ${issue.expected}.` };
    case 'invalid_format':
      if (issue.format === 'date') {
        return { code: 'invalid_date', message: `${received} is not a date; write YYYY-MM-DD.` };
      }
      if (issue.format === 'datetime') {
        const message = `${received} is not an instant; write a date, a time and an offset, like 2026-09-24T17:00:00-05:00.`;
        return { code: 'invalid_date', message };
      }
      return { code: 'invalid_value', message: `${received} does not fit: ${issue.message}.` };
    case 'invalid_value':
      return { code: 'invalid_value', message: `${received} should be ${issue.values.map(quoteValue).join(' or ')}.` };
    default:
      return { code: 'invalid_value', message: `${received} does not fit: ${issue.message}.` };
  }
}
