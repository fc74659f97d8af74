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
import { checkRequestedCoverages, requestedCoveragesKey } from './requested-coverages.ts';

const MAX_FIELDS_JSON_LENGTH = 65_536;
export const MAX_KEYS = 500;

/**
 * Normalizes known keys and keeps additional ones. Returns all faults at once, with the valid known values. With `isPartial`, no field is
 * required.
 * @example
 * const { fields, faults } = checkFields(body.fields, '2026-11-25');
 */
export function checkFields(
  input: unknown,
  today: string,
  { fields: quoteFields }: QuotedLine = homeQuotes,
  { isPartial = false }: { readonly isPartial?: boolean } = {},
): { readonly fields: JsonObject; readonly faults: Fault[] } {
  const knownKeys = new Set(quoteFields.map(({ key }) => key));
  const faults: Fault[] = [];
  if (input !== undefined && input !== null && !isObject(input)) {
    const message = `fields is ${quoteValue(input)}; give an object with ${quoteFields.flatMap(({ key, isRequired = true }) => (isRequired ? [key] : [])).join(', ')}.`;
    return { fields: {}, faults: [{ path: '/fields', code: 'invalid_type', message }] };
  }
  const source = isObject(input) ? input : {};
  const tooLarge = sizeFaults(source);
  if (tooLarge.length > 0) return { fields: {}, faults: tooLarge };
  const effectiveDate = own(source, 'effective_date');
  const year = typeof effectiveDate === 'string' ? /^\s*(\d{4})-/.exec(effectiveDate)?.[1] : undefined;
  const context = { today, effectiveYear: Number(year ?? today.slice(0, 4)) };
  const values = new Map<string, JsonValue>();
  const extras = Object.keys(source).filter((key) => !knownKeys.has(key));
  for (const field of quoteFields) {
    const value = own(source, field.key);
    if (!isGiven(value)) {
      if (isPartial || field.isRequired === false) continue;
      faults.push({ path: pointer('fields', field.key), code: 'required', message: missing(field.key, extras) });
      continue;
    }
    const read = field.read(value as JsonValue, context);
    if ('value' in read) values.set(field.key, read.value);
    else faults.push({ path: pointer('fields', field.key), ...read });
  }
  const requested = own(source, requestedCoveragesKey);
  if (isGiven(requested)) {
    const checked = checkRequestedCoverages(requested);
    if ('value' in checked) values.set(requestedCoveragesKey, checked.value);
    else faults.push(...checked.faults);
  }
  faults.push(...countyFaults(values.get('state'), values.get('county')));
  // `fromEntries` keeps a key such as `__proto__` ordinary.
  const fields = Object.fromEntries(
    Object.entries(source)
      .filter(([key]) => values.has(key) || !knownKeys.has(key))
      .map(([key, value]) => [key, values.get(key) ?? (value as JsonValue)]),
  );
  return { fields, faults };
}

const keyCounts = new WeakMap<object, number>();

function keysOf(fields: Readonly<Record<string, unknown>>): number {
  const count = keyCounts.get(fields) ?? Object.keys(fields).length;
  keyCounts.set(fields, count);
  return count;
}

export function isTooWide(fields: unknown): boolean {
  return isObject(fields) && keysOf(fields) > MAX_KEYS;
}

/** A name that two counties share stands for both. */
function countyFaults(state: JsonValue | undefined, county: JsonValue | undefined): Fault[] {
  const stateCheck = checkState(state);
  if (!('value' in stateCheck) || typeof county !== 'string') return [];
  const checked = checkCounty(stateCheck.value, county);
  return 'value' in checked ? [] : [{ path: '/fields/county', ...checked }];
}

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
