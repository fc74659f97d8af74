import { CarrierFault } from '@leeward/quotes';
import { type Fault, isObject, type JsonObject, type JsonValue, own, pointer, quoteValue } from '@leeward/terms';
import { type CastType, castTo } from './cast.ts';

export const templateNames = [
  'rate_id',
  'quote_request_id',
  'product_code',
  'form_type',
  'effective_date',
  'producer_email',
  'idempotency_key',
  'fields.…',
  'terms.…',
  'tier.of',
  'tier.rank',
  'tier.name',
  'tier.program_id',
] as const;

const placeholder = /\{\{\s*([\w.-]+)\s*\}\}/g;
const anyPlaceholder = new RegExp(placeholder.source);
const whole = /^\{\{\s*([\w.-]+)\s*\}\}$/;
const valueKeys = ['$value', 'map', 'otherwise', 'as', 'required'];

/**
 * A text of one `{{name}}` becomes the value with its type; `{{name}}` inside a text becomes text. `{ "$value": "fields.roof_option",
 * "map": { "metal": "MTL" }, "otherwise": "OTH", "as": "string" }` maps values. Missing values are omitted: keys of objects, entries of
 * lists, parts of texts. With `"required": true` nothing is sent instead.
 */
export function fillTemplate(template: unknown, values: JsonObject): JsonValue | undefined {
  if (typeof template === 'string') {
    const name = whole.exec(template)?.[1];
    return name === undefined ? fillText(template, values, (text) => text) : lookUp(values, name);
  }
  if (Array.isArray(template)) {
    return template.map((item) => fillTemplate(item, values)).filter((item) => item !== undefined);
  }
  if (!isObject(template)) return template as JsonValue;
  if (Object.hasOwn(template, '$value')) return fillValue(template, values);
  const members = Object.entries(template)
    .filter(([key]) => key !== '$comment')
    .map(([key, value]) => [key, fillTemplate(value, values)] as const)
    .filter((member): member is readonly [string, JsonValue] => member[1] !== undefined);
  return Object.fromEntries(members);
}

/** `encode` escapes a value for its place. */
export function fillText(template: string, values: JsonObject, encode: (text: string, name: string) => string): string {
  return template.replace(placeholder, (_, name: string) => {
    const value = lookUp(values, name);
    if (value === undefined || value === null) return '';
    return encode(typeof value === 'object' ? JSON.stringify(value) : String(value), name);
  });
}

/**
 * Each encoded value stays in its segment. A segment that becomes empty, `.` or `..` would lead to another resource. @throws
 * {CarrierFault} of kind `invalid` for it. It names the field but not the value, which may be personal.
 */
export function fillAddress(template: string, values: JsonObject): string {
  const [, origin = '', path = '', rest = ''] = /^([a-z]+:\/\/[^/\\?#]*)([^?#]*)(.*)$/is.exec(template) ?? [];
  const segments = path.split(/[/\\]/).map((segment) => {
    const filled = fillText(segment, values, encodeValue);
    const name = segment.match(anyPlaceholder)?.[1];
    if (name !== undefined && /^(?:\.|%2e){0,2}$/i.test(filled)) {
      const message = `${name} is missing or is not a valid name: it cannot be part of the carrier's address.`;
      throw new CarrierFault(message, { kind: 'invalid', code: 'invalid_path_value', nothingMade: true });
    }
    return filled;
  });
  return origin + segments.join('/') + fillText(rest, values, encodeValue);
}

function encodeValue(text: string, name: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  const message = `${name} contains a lone surrogate: an address cannot contain it.`;
  throw new CarrierFault(message, { kind: 'invalid', code: 'unencodable_value', nothingMade: true });
}

function fillValue(template: Readonly<Record<string, unknown>>, values: JsonObject): JsonValue | undefined {
  const mapped = lookUp(values, String(template['$value']));
  const { map } = template;
  let value: JsonValue | undefined = mapped;
  if (isObject(map)) value = mapped === undefined ? undefined : (own(map, String(mapped)) as JsonValue | undefined);
  if ((value === undefined || value === null) && Object.hasOwn(template, 'otherwise')) {
    value = template['otherwise'] as JsonValue;
  }
  if (value === undefined || value === null) return value;
  return castTo(value, template['as'] as CastType);
}

/** By own properties. */
export function lookUp(values: JsonObject, name: string): JsonValue | undefined {
  let at: unknown = values;
  for (const key of name.split('.')) {
    at = Array.isArray(at) && /^\d{1,4}$/.test(key) ? at[Number(key)] : own(at, key);
    if (at === undefined) return undefined;
  }
  return at as JsonValue;
}

export function templateFaults(template: unknown, path: string, more: readonly string[] = []): Fault[] {
  if (typeof template === 'string') {
    return [...template.matchAll(placeholder)].flatMap(([, name = '']) => nameFaults(name, path, more));
  }
  if (Array.isArray(template)) return template.flatMap((item, index) => templateFaults(item, `${path}/${index}`, more));
  if (!isObject(template)) return [];
  if (!Object.hasOwn(template, '$value')) {
    return Object.entries(template).flatMap(([key, value]) =>
      key === '$comment' ? [] : templateFaults(value, path + pointer(key), more),
    );
  }
  const faults = Object.keys(template)
    .filter((key) => !valueKeys.includes(key) && key !== '$comment')
    .map((key) => ({
      path: path + pointer(key),
      code: 'unknown_key',
      message: `${quoteValue(key)} is not allowed next to $value; use only: ${valueKeys.join(', ')}.`,
    }));
  const { $value: name, map, as, required } = template;
  if (typeof name !== 'string') {
    faults.push({ path: `${path}/$value`, code: 'invalid_type', message: `${quoteValue(name)} should be a name.` });
  } else faults.push(...nameFaults(name, `${path}/$value`, more));
  if (map !== undefined && !isObject(map)) {
    faults.push({ path: `${path}/map`, code: 'invalid_type', message: `${quoteValue(map)} should be an object.` });
  }
  if (required !== undefined && typeof required !== 'boolean') {
    const message = `${quoteValue(required)} should be true or false.`;
    faults.push({ path: `${path}/required`, code: 'invalid_type', message });
  }
  if (as !== undefined && !['string', 'number', 'boolean'].includes(String(as))) {
    const message = `${quoteValue(as)} should be "string", "number" or "boolean".`;
    faults.push({ path: `${path}/as`, code: 'invalid_value', message });
  }
  return faults;
}

export function nameFaults(name: string, path: string, more: readonly string[]): Fault[] {
  const names: readonly string[] = [...templateNames, ...more];
  if (names.includes(name) || /^(fields|terms)\.[\w.-]+$/.test(name)) return [];
  const message = `${quoteValue(name)} is unknown here; use one of: ${names.join(', ')}.`;
  return [{ path, code: 'unknown_name', message }];
}
