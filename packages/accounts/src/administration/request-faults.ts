import type { Fault } from '@leeward/terms';
import type { z } from 'zod';
import { AdministrationError } from '../administration-error.ts';

type Issue = z.core.$ZodIssue;

/** What the request says, or all its faults at once. @throws {AdministrationError} `invalid_request` */
export function parseRequest<Request>(schema: z.ZodType<Request>, body: unknown): Request {
  const parsed = schema.safeParse(body ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new AdministrationError('invalid_request', parsed.error.issues.flatMap(faultsOf));
}

/** Values received are told by kind only: they may be names and addresses of people. */
function faultsOf(issue: Issue): Fault[] {
  const path = pointer(issue.path);
  const fault = (code: string, message: string): Fault[] => [{ path, code, message }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: pointer([...issue.path, key]),
        code: 'unknown_field',
        message: 'There is no such field here; leave it out.',
      }));
    case 'invalid_type':
      if (issue.input === undefined) return fault('required', 'is required.');
      return fault('invalid_type', `must be ${article(issue.expected)}; this is ${article(kindOf(issue.input))}.`);
    case 'too_small':
    case 'too_big':
      return fault('out_of_range', `must have ${boundOf(issue)}.`);
    case 'invalid_format':
      return fault('invalid_format', formats[issue.format] ?? 'is not written as it should be.');
    case 'custom': {
      if (issue.input === undefined) return fault('required', 'is required.');
      const code: unknown = issue.params?.['code'];
      return fault(typeof code === 'string' ? code : 'invalid_value', issue.message);
    }
    default:
      return fault('invalid_value', issue.message);
  }
}

const formats: { readonly [format: string]: string | undefined } = {
  date: 'must be a date of the calendar, as in 2026-12-31.',
  datetime: 'must be an instant with its offset, as in 2026-12-31T00:00:00Z.',
  email: 'must be an e-mail address.',
};

function boundOf(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const [bound, side] = issue.code === 'too_small' ? [issue.minimum, 'at least'] : [issue.maximum, 'at most'];
  if (issue.origin === 'string') return `${side} ${bound} ${bound === 1 ? 'character' : 'characters'}`;
  if (issue.origin === 'array') return `${side} ${bound} ${bound === 1 ? 'entry' : 'entries'}`;
  return `a value of ${side} ${bound}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function article(kind: string): string {
  if (kind === 'null') return kind;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

/** RFC 6901, of keys cut to a readable length. */
export function pointer(keys: readonly PropertyKey[]): string {
  return keys
    .map((key) => `/${String(key).slice(0, 60).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
