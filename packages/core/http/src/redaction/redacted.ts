/** Personal data and secrets. Ignores case, blanks, hyphens and underscores. */
export const redactedNames = [
  'name',
  'first_name',
  'last_name',
  'middle_name',
  'full_name',
  'email',
  'insured_email',
  'assigned_producer_email',
  'producer_email',
  'phone',
  'insured_phone',
  'date_of_birth',
  'insured_date_of_birth',
  'birth_date',
  'dob',
  'ssn',
  'social_security_number',
  'address',
  'house_number',
  'street',
  'line1',
  'lat',
  'lng',
  'authorization',
  'cookie',
  'set_cookie',
  'token',
  'api_key',
  'password',
  'secret',
  'client_secret',
  'code_verifier',
  'id_token',
  'access_token',
  'refresh_token',
  'body',
  'home',
  'fields',
  'insured',
] as const;

const names = new Set<string>(redactedNames.map(fold));
const censored = '[redacted]';

const token = /\blw_([a-z0-9]{1,16})_([0-9A-Za-z]{8,64})_[0-9A-Za-z]{16,}/g;

// Tokens, bearer values, passwords in URLs, e-mail addresses, telephone numbers.
const patterns: readonly (readonly [RegExp, string])[] = [
  [token, 'lw_$1_$2_[redacted]'],
  [/\bbearer\s+[^\s"']+/gi, 'Bearer [redacted]'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]{0,256}):[^\s/@]{1,256}@/gi, '$1:[redacted]@'],
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu, censored],
  [/\+\d{8,15}(?!\d)/g, censored],
  [/(?<![\w.:-])(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])/g, censored],
];

const suspicious = /@|lw_|bearer|:\/\/|\d{4}/i;

/**
 * Copies a value for a log, without personal data and secrets in fields and texts, at any depth. Never throws.
 *
 * @example
 * logger.info(redacted({ email: 'ada@example.com' }), 'created'); // { email: '[redacted]' }
 */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth > 8) return censored;
  if (value instanceof Error) return errorFields(value, depth);
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.slice(0, 100).map((each) => redacted(each, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    const censoredValue = names.has(fold(key)) ? censored : redacted(each, depth + 1);
    Object.defineProperty(copy, key, { value: censoredValue, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

function errorFields(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.constructor.name,
    message: cleanText(error.message),
    ...('code' in error ? { code: redacted(error.code, depth + 1) } : {}),
    stack: cleanText(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: redacted(error.cause, depth + 1) }),
  };
}

function cleanText(text: string): string {
  if (!suspicious.test(text) && text.length <= 8192) return text;
  let clean = text.length > 8192 ? `${text.slice(0, 8192)}…` : text;
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}

export function withoutTokens(text: string): string {
  return text.includes('lw_') ? text.replace(token, 'lw_$1_$2_[redacted]') : text;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '');
}
