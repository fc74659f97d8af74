import type { z } from 'zod';
import { describeValue, type Fault, pointer, quoteValue } from '../fault/fault.ts';
import { isGiven, valueAt } from '../json/json.ts';
import { suggest } from '../spelling/suggest.ts';
import { unknownKeyFaults } from './unknown-keys.ts';

type Issue = z.core.$ZodIssue;

/** How the issues of a schema are told. */
export interface IssueOptions {
  /** What was checked; the values that messages name are read from it. */
  readonly value: unknown;
  /**
   * A file is written by its author and read by people at its lines: what is missing is told at its parent, and codes are
   * those of files (`unknown_key`, `missing_key`, `invalid_value`). Default a request.
   */
  readonly of?: 'request' | 'file';
  /** The keys that a place may have: named, and suggested for misspelt ones. Left out, none are. */
  readonly keysAt?: (path: readonly PropertyKey[]) => readonly string[];
  /** The code of a word that is none of those allowed; default `unknown_value` of requests, `invalid_value` of files. */
  readonly codeOfWord?: (path: readonly PropertyKey[]) => string | undefined;
  /** Values may be names and addresses of people: they are told by their kind alone. */
  readonly isPrivate?: boolean;
}

/** What a zod schema found, as faults that name the value received and the way out. */
export function issueFaults(issues: readonly Issue[], options: IssueOptions): Fault[] {
  const unknown = issues
    .filter((issue) => issue.code === 'unrecognized_keys')
    .map(({ path, keys }) => ({ path, keys, known: options.keysAt?.(path) ?? [] }));
  const { faults, meant } = unknownKeyFaults(unknown, options.of);
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') continue;
    const value = valueAt(options.value, issue.path);
    if (issue.path.length === 0 || !isMissing(value, options)) faults.push(faultOf(issue, value, options));
    else if (!meant.has(pointer(...issue.path))) faults.push(missing(issue.path, options));
  }
  return faults;
}

/** A file says null where it means it; what a form left empty is missing where it must be given. */
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
  const { code, wanted: usual } = wantedBy(issue, value);
  // A schema that knows better says what to give: `error: 'give decimal degrees'`.
  const wanted = issue.message.startsWith('give ') ? issue.message.slice('give '.length) : usual;
  const told =
    of === 'file' ? `${received} should be ${wanted}.` : `${nameOf(issue.path)} is ${received}; give ${wanted}.`;
  if (of === 'file') return { path, code: codeInFile(code, issue, options), message: told };
  return { path, code: (code === 'unknown_value' && options.codeOfWord?.(issue.path)) || code, message: told };
}

/** Files tell three kinds of wrong values apart: of another type, no date, and the rest. */
function codeInFile(code: string, issue: Issue, { codeOfWord }: IssueOptions): string {
  if (code === 'invalid_type' || code === 'invalid_date') return code;
  return (code === 'unknown_value' && codeOfWord?.(issue.path)) || 'invalid_value';
}

function wantedBy(issue: Issue, value: unknown): { code: string; wanted: string } {
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'invalid_type', wanted: kinds[issue.expected] ?? issue.expected };
    case 'invalid_union':
      return unionOf(issue);
    case 'invalid_value': {
      const isWord = typeof value === 'string' || !issue.values.every((word) => typeof word === 'string');
      return { code: isWord ? 'unknown_value' : 'invalid_type', wanted: wordsOf(issue.values, value) };
    }
    case 'invalid_format':
      return formats[issue.format] ?? { code: 'invalid_format', wanted: `text like ${issue.pattern ?? issue.format}` };
    case 'too_small':
    case 'too_big':
      return boundOf(issue, value);
    default:
      return { code: 'invalid_value', wanted: `what fits: ${issue.message}` };
  }
}

/** Text or an object, say: of another type where no member takes the value's. */
function unionOf(issue: Issue & { code: 'invalid_union' }): { code: string; wanted: string } {
  const firsts = issue.errors.map(([first]) => first);
  const isType = firsts.every((first) => first?.code === 'invalid_type' && first.path.length === 0);
  if (!isType || firsts.length === 0) return { code: 'invalid_value', wanted: 'what fits' };
  const wanted = firsts.map((first) =>
    first?.code === 'invalid_type' ? (kinds[first.expected] ?? first.expected) : '',
  );
  return { code: 'invalid_type', wanted: [...new Set(wanted)].join(' or ') };
}

/** What zod's kinds are called among people. */
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

const formats: Readonly<Record<string, { code: string; wanted: string } | undefined>> = {
  date: { code: 'invalid_date', wanted: 'a date as YYYY-MM-DD' },
  datetime: { code: 'invalid_date', wanted: 'an instant with an offset, like 2026-11-20T12:00:00Z' },
  email: { code: 'invalid_format', wanted: 'an e-mail address' },
  safeint: { code: 'invalid_number', wanted: 'a whole number within ±2^53' },
};

function wordsOf(words: readonly unknown[], value: unknown): string {
  const texts = words.filter((word) => typeof word === 'string');
  const nearest = typeof value === 'string' ? suggest(value, texts) : undefined;
  const list = words.length === 1 ? quoteValue(words[0]) : `one of: ${words.map(String).join(', ')}`;
  return nearest === undefined ? list : `${list} (did you mean "${nearest}"?)`;
}

function boundOf(issue: Issue & { code: 'too_small' | 'too_big' }, value: unknown): { code: string; wanted: string } {
  const [bound, side] = issue.code === 'too_small' ? [issue.minimum, 'at least'] : [issue.maximum, 'at most'];
  if (issue.origin === 'string') {
    return { code: 'invalid_length', wanted: `text of ${side} ${bound} ${bound === 1 ? 'character' : 'characters'}` };
  }
  if (issue.origin === 'array') {
    const code =
      issue.code === 'too_big' ? 'too_many' : Array.isArray(value) && value.length === 0 ? 'empty_list' : 'too_few';
    return { code, wanted: `a list of ${side} ${bound} ${bound === 1 ? 'entry' : 'entries'}` };
  }
  return { code: 'out_of_range', wanted: `a value of ${side} ${bound}` };
}

/** `licensed_states/1`: a place as messages name it. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'The request' : pointer(...path).slice(1);
}
