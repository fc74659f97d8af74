import { checkCounty, checkState } from '@leeward/places/counties';
import {
  type Fault,
  isGiven,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  pointer,
  quoteValue,
  suggest,
} from '@leeward/terms';
import { homeQuotes, type QuotedLine } from '../catalog/quoted-line.ts';

const MAX_FIELDS_JSON_LENGTH = 65_536;
/** Keys that `fields` may have. */
export const MAX_KEYS = 500;

/**
 * Checks `fields` of a quote request: known keys are normalized, extra ones kept as they came. All faults at once; the
 * known values that are in order are given besides.
 *
 * @param today `YYYY-MM-DD`
 * @example
 * checkFields({ state: 'florida' }, '2026-11-25').faults[0]?.path; // '/fields/first_name'
 */
export function checkFields(
  given: unknown,
  today: string,
  { fields: quoteFields }: QuotedLine = homeQuotes,
): { readonly fields: JsonObject; readonly faults: Fault[] } {
  const knownKeys = new Set(quoteFields.map(({ key }) => key));
  const faults: Fault[] = [];
  if (given !== undefined && given !== null && !isObject(given)) {
    const message = `fields is ${quoteValue(given)}; give an object with ${quoteFields.flatMap(({ key, isRequired = true }) => (isRequired ? [key] : [])).join(', ')}.`;
    return { fields: {}, faults: [{ path: '/fields', code: 'invalid_type', message }] };
  }
  const source = isObject(given) ? given : {};
  const tooLarge = sizeFaults(source);
  if (tooLarge.length > 0) return { fields: {}, faults: tooLarge };
  const effectiveDate = own(source, 'effective_date');
  const year = typeof effectiveDate === 'string' ? /^\s*(\d{4})-/.exec(effectiveDate)?.[1] : undefined;
  const context = { today, effectiveYear: Number(year ?? today.slice(0, 4)) };
  const known = new Map<string, JsonValue>();
  const extras = Object.keys(source).filter((key) => !knownKeys.has(key));
  for (const field of quoteFields) {
    const value = own(source, field.key);
    if (!isGiven(value)) {
      if (field.isRequired === false) continue;
      faults.push({ path: pointer('fields', field.key), code: 'required', message: missing(field.key, extras) });
      continue;
    }
    const read = field.read(value as JsonValue, context);
    if ('value' in read) known.set(field.key, read.value);
    else faults.push({ path: pointer('fields', field.key), ...read });
  }
  faults.push(...countyFaults(known.get('state'), known.get('county')));
  // In the order given, so that a carrier sees what the team sent. `fromEntries` keeps a key such as `__proto__` a plain key.
  const fields = Object.fromEntries(
    Object.entries(source)
      .filter(([key]) => known.has(key) || !knownKeys.has(key))
      .map(([key, value]) => [key, known.get(key) ?? (value as JsonValue)]),
  );
  return { fields, faults };
}

/** To count the keys of a large object takes as long as to parse it; so it is done once. */
const keyCounts = new WeakMap<object, number>();

function keysOf(fields: Readonly<Record<string, unknown>>): number {
  const known = keyCounts.get(fields) ?? Object.keys(fields).length;
  keyCounts.set(fields, known);
  return known;
}

/** Whether `fields` have so many keys that they are not looked into. */
export function isTooWide(fields: unknown): boolean {
  return isObject(fields) && keysOf(fields) > MAX_KEYS;
}

/** A county must be of the state; a name that two counties share means both. */
function countyFaults(state: JsonValue | undefined, county: JsonValue | undefined): Fault[] {
  const found = checkState(state);
  if (!('value' in found) || typeof county !== 'string') return [];
  const checked = checkCounty(found.value, county);
  return 'value' in checked ? [] : [{ path: '/fields/county', ...checked }];
}

/** Looked at first: what is too large is not looked into. */
function sizeFaults(source: Readonly<Record<string, unknown>>): Fault[] {
  if (isTooWide(source)) {
    const message = `fields has ${keysOf(source)} keys; at most ${MAX_KEYS} are accepted.`;
    return [{ path: '/fields', code: 'too_many_keys', message }];
  }
  const { length } = JSON.stringify(source);
  if (length > MAX_FIELDS_JSON_LENGTH) {
    const message = `fields is ${length} characters of JSON; at most ${MAX_FIELDS_JSON_LENGTH} are accepted.`;
    return [{ path: '/fields', code: 'too_large', message }];
  }
  return [];
}

function missing(key: string, extras: readonly string[]): string {
  const misspelt = suggest(key, extras);
  const hint = misspelt === undefined ? '' : ` Is ${quoteValue(misspelt)} meant?`;
  return `${key} is required.${hint}`;
}
