import type { z } from 'zod';
import { describeValue, type Fault, pointer, quoteValue } from '../fault/fault.ts';
import { isGiven, valueAt } from '../json/json.ts';
import { suggest } from '../spelling/suggest.ts';
import { unknownKeyFaults } from './unknown-keys.ts';

type Issue = z.core.$ZodIssue;

/** Conversion of zod issues into faults. */
export interface IssueOptions {
  readonly value: unknown;
  /**
   * In a file a missing key is reported at its parent, and codes are those of files (`unknown_key`, `missing_key`, `invalid_value`).
   * @default 'request'
   */
  readonly of?: 'request' | 'file';
  /** Allowed keys at a path. @default no suggestions */
  readonly keysAt?: (path: readonly PropertyKey[]) => readonly string[];
  /** Code for a text outside a list. @default `unknown_value` in requests, `invalid_value` in files */
  readonly codeOfWord?: (path: readonly PropertyKey[]) => string | undefined;
  /** Values may be personal: messages do not repeat them. @default false */
  readonly isPrivate?: boolean;
}

/**
 * Converts zod issues to faults whose messages name the value received and how to fix it.
 * @example
 * const { error } = z.object({ rooms: z.int() }).safeParse({ rooms: 'x' });
 * issueFaults(error!.issues, { value: { rooms: 'x' } })[0]?.message; // 'rooms is "x"; give a whole number.'
 */
export function issueFaults(issues: readonly Issue[], options: IssueOptions): Fault[] {
  const unknown = issues
    .filter((issue) => issue.code === 'unrecognized_keys')
    .map(({ path, keys }) => ({ path, keys, allowed: options.keysAt?.(path) ?? [] }));
  const { faults, suggestedPaths } = unknownKeyFaults(unknown, options.of);
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') continue;
    const value = valueAt(options.value, issue.path);
    if (issue.path.length === 0 || !isMissing(value, options)) faults.push(faultOf(issue, value, options));
    else if (!suggestedPaths.has(pointer(...issue.path))) faults.push(missing(issue.path, options));
  }
  return faults;
}

/** In a file null is a value; in a request null and blank text count as missing. */
function isMissing(value: unknown, { of }: IssueOptions): boolean {
  return of === 'file' ? value === undefined : !isGiven(value);
}

function missing(path: readonly PropertyKey[], { of }: IssueOptions): Fault {
  const key = String(path.at(-1));
  if (of !== 'file') return { path: pointer(...path), code: 'required', message: `${nameOf(path)} is required.` };
  return { path: pointer(...path.slice(0, -1)), code: 'missing_key', message: `The key "${key}" is missing.` };
}

function faultOf(issue: Issue, value: unknown, options: IssueOptions): Fault {
  const path = pointer(...issue.path);
  const { of = 'request', isPrivate = false } = options;
  const received = isPrivate ? describeValue(value) : quoteValue(value);
  if (issue.code === 'custom') {
    const code: unknown = issue.params?.['code'];
    const message = of === 'file' ? `${received} does not fit: ${issue.message}.` : issue.message;
    return typeof code === 'string' ? { path, code, message: issue.message } : { path, code: 'invalid_value', message };
  }
  const { code, expected: usual } = expectationOf(issue, value);
  // A schema can replace the text: `error: 'give decimal degrees'`.
  const expected = issue.message.startsWith('give ') ? issue.message.slice('give '.length) : usual;
  const message =
    of === 'file' ? `${received} should be ${expected}.` : `${nameOf(issue.path)} is ${received}; give ${expected}.`;
  if (of === 'file') return { path, code: codeInFile(code, issue, options), message };
  return { path, code: (code === 'unknown_value' && options.codeOfWord?.(issue.path)) || code, message };
}

/** `invalid_type`, `invalid_date` and the rest. */
function codeInFile(code: string, issue: Issue, { codeOfWord }: IssueOptions): string {
  if (code === 'invalid_type' || code === 'invalid_date') return code;
  return (code === 'unknown_value' && codeOfWord?.(issue.path)) || 'invalid_value';
}

interface Expectation {
  readonly code: string;
  readonly expected: string;
}

function expectationOf(issue: Issue, value: unknown): Expectation {
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'invalid_type', expected: kinds[issue.expected] ?? issue.expected };
    case 'invalid_union':
      return unionOf(issue);
    case 'invalid_value': {
      const isWord = typeof value === 'string' || !issue.values.every((word) => typeof word === 'string');
      return { code: isWord ? 'unknown_value' : 'invalid_type', expected: wordsOf(issue.values, value) };
    }
    case 'invalid_format':
      return (
        formats[issue.format] ?? { code: 'invalid_format', expected: `text like ${issue.pattern ?? issue.format}` }
      );
    case 'too_small':
    case 'too_big':
      return boundOf(issue, value);
    default:
      return { code: 'invalid_value', expected: `a valid value: ${issue.message}` };
  }
}

/** If all members expect another type, names those types. */
function unionOf(issue: Issue & { code: 'invalid_union' }): Expectation {
  const firsts = issue.errors.map(([first]) => first);
  const isType = firsts.every((first) => first?.code === 'invalid_type' && first.path.length === 0);
  if (!isType || firsts.length === 0) return { code: 'invalid_value', expected: 'a valid value' };
  const kindNames = firsts.map((first) =>
    first?.code === 'invalid_type' ? (kinds[first.expected] ?? first.expected) : '',
  );
  return { code: 'invalid_type', expected: [...new Set(kindNames)].join(' or ') };
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};

const formats: Readonly<Record<string, Expectation | undefined>> = {
  date: { code: 'invalid_date', expected: 'a date as YYYY-MM-DD' },
  datetime: { code: 'invalid_date', expected: 'an instant with an offset, like 2026-11-20T12:00:00Z' },
  email: { code: 'invalid_format', expected: 'an e-mail address' },
  safeint: { code: 'invalid_number', expected: 'a whole number within ±2^53' },
};

function wordsOf(words: readonly unknown[], value: unknown): string {
  const texts = words.filter((word) => typeof word === 'string');
  const nearest = typeof value === 'string' ? suggest(value, texts) : undefined;
  const list = words.length === 1 ? quoteValue(words[0]) : `one of: ${words.map(String).join(', ')}`;
  return nearest === undefined ? list : `${list} (did you mean "${nearest}"?)`;
}

function boundOf(issue: Issue & { code: 'too_small' | 'too_big' }, value: unknown): Expectation {
  const [bound, side] = issue.code === 'too_small' ? [issue.minimum, 'at least'] : [issue.maximum, 'at most'];
  if (issue.origin === 'string') {
    return { code: 'invalid_length', expected: `text of ${side} ${bound} ${bound === 1 ? 'character' : 'characters'}` };
  }
  if (issue.origin === 'array') {
    const code =
      issue.code === 'too_big' ? 'too_many' : Array.isArray(value) && value.length === 0 ? 'empty_list' : 'too_few';
    return { code, expected: `a list of ${side} ${bound} ${bound === 1 ? 'entry' : 'entries'}` };
  }
  return { code: 'out_of_range', expected: `a value of ${side} ${bound}` };
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'The request' : pointer(...path).slice(1);
}
