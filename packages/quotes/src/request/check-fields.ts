import {
  didYouMean,
  type Fault,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  pointer,
  quoteValue,
} from '@leeward/terms';
import { quoteFields } from '../catalog/quote-fields.ts';

const longestJson = 65_536;
const mostKeys = 500;

/**
 * Checks `fields` of a quote request: known keys are normalized, extra ones kept as they came. All faults at once; the
 * known values that are in order are given besides.
 */
export function checkFields(given: unknown, today: string): { readonly fields: JsonObject; readonly faults: Fault[] } {
  const faults: Fault[] = [];
  if (given !== undefined && given !== null && !isObject(given)) {
    const message = `fields is ${quoteValue(given)}; give an object with ${quoteFields.map(({ key }) => key).join(', ')}.`;
    return { fields: {}, faults: [{ path: '/fields', code: 'invalid_type', message }] };
  }
  const source = isObject(given) ? given : {};
  const effectiveDate = own(source, 'effective_date');
  const year = typeof effectiveDate === 'string' ? /^\s*(\d{4})-/.exec(effectiveDate)?.[1] : undefined;
  const context = { today, effectiveYear: Number(year ?? today.slice(0, 4)) };
  const known = new Map<string, JsonValue>();
  const extras = Object.keys(source).filter((key) => !quoteFields.some((field) => field.key === key));
  for (const field of quoteFields) {
    const value = own(source, field.key);
    if (value === undefined || value === null) {
      faults.push({ path: pointer('fields', field.key), code: 'required', message: missing(field.key, extras) });
      continue;
    }
    const read = field.read(value as JsonValue, context);
    if ('value' in read) known.set(field.key, read.value);
    else faults.push({ path: pointer('fields', field.key), ...read });
  }
  if (extras.length + known.size > mostKeys) {
    const message = `fields has ${Object.keys(source).length} keys; at most ${mostKeys} are accepted.`;
    faults.push({ path: '/fields', code: 'too_many_keys', message });
  }
  const length = JSON.stringify(source).length;
  if (length > longestJson) {
    const message = `fields is ${length} characters of JSON; at most ${longestJson} are accepted.`;
    faults.push({ path: '/fields', code: 'too_large', message });
  }
  // In the order given, so that a carrier sees what the team sent. `fromEntries` keeps a key such as `__proto__` a plain key.
  const fields = Object.fromEntries(
    Object.entries(source)
      .filter(([key]) => known.has(key) || extras.includes(key))
      .map(([key, value]) => [key, known.get(key) ?? (value as JsonValue)]),
  );
  return { fields, faults };
}

function missing(key: string, extras: readonly string[]): string {
  const misspelt = extras.find((extra) => didYouMean(extra, [key]) !== '');
  const hint = misspelt === undefined ? '' : ` Is ${quoteValue(misspelt)} meant?`;
  return `${key} is required.${hint}`;
}
