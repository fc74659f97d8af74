import type { Random } from './random.ts';
import { alternatives, type Components, resolved, type Schema, wordsOf } from './schema.ts';

/** A body that was good but for one thing. */
export interface Mutation {
  readonly kind: string;
  /** JSON Pointer of the change. */
  readonly at: string;
  readonly body: string | Uint8Array;
  /** True if the contract rejects it, also if the schema allows it. */
  readonly mustFail: boolean;
}

/** One place in a body, with its schema. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly schema: Schema;
}

/** Stands for a piece of JSON that `JSON.stringify` does not write. */
const marker = '@@raw@@';

const wrongTypes: readonly unknown[] = [true, -7.5, 'neither', [], {}, [[]], { a: { b: 1 } }];

const kinds = {
  type: (random: Random, place: Place, components: Components) => {
    const types = new Set(alternatives(place.schema, components).map(({ type }) => type));
    if (types.has(undefined)) return undefined;
    return { value: random.pick(wrongTypes.filter((each) => !types.has(typeOf(each)))) };
  },
  word: (random: Random, { schema }: Place, components: Components) =>
    wordsOf(schema, components).length === 0
      ? undefined
      : { value: random.pick(['castle', 'zz top', '—', 'constructor', '0x10']), mustFail: true },
  bound: (random: Random, { schema }: Place, components: Components) => {
    const limits = alternatives(schema, components).flatMap(({ minimum, maximum }) => [
      ...(minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? [] : [minimum - 1, -(10 ** 15)]),
      ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [maximum + 1, 10 ** 15]),
    ]);
    return limits.length === 0 ? undefined : { value: random.pick(limits) };
  },
  fraction: (_: Random, { schema }: Place, components: Components) =>
    alternatives(schema, components).some(({ type }) => type === 'integer') ? { value: 1.5 } : undefined,
  beyond: () => ({ raw: '1e400', mustFail: true }),
  surrogate: (_: Random, place: Place, components: Components) =>
    isText(place, components) ? { raw: '"a\\ud800b"', mustFail: true } : undefined,
  nul: (_: Random, place: Place, components: Components) =>
    isText(place, components) ? { raw: '"a\\u0000b"' } : undefined,
  huge: (_: Random, place: Place, components: Components) =>
    isText(place, components) ? { value: 'h'.repeat(100_000) } : undefined,
  deep: () => ({ raw: `${'['.repeat(500)}${']'.repeat(500)}`, mustFail: true }),
  endless: () => ({ raw: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, mustFail: true }),
} as const;

type Change = { readonly value?: unknown; readonly raw?: string; readonly mustFail?: boolean } | undefined;

/** Breaks one part of a valid body: a value, an extra key, or the encoded text. */
export function mutate(body: unknown, schema: Schema, components: Components, random: Random): Mutation {
  if (random.chance(0.15)) return ofText(body, random);
  if (random.chance(0.2) && isObject(body)) return ofKeys(body, schema, components, random);
  const place = random.pick(placesOf(body, schema, components));
  const at = `/${place.path.join('/')}`;
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  for (;;) {
    const kind = random.pick(names);
    const change: Change = kinds[kind](random, place, components);
    if (change === undefined) continue;
    const { value, raw, mustFail = false } = change;
    const changed = JSON.stringify(replaced(body, place.path, raw === undefined ? value : marker)) ?? '';
    return { kind, at, body: raw === undefined ? changed : changed.replace(`"${marker}"`, () => raw), mustFail };
  }
}

/** Returns every place of a body that the schema describes, the whole body first. */
function placesOf(value: unknown, schema: Schema, components: Components, path: Place['path'] = []): Place[] {
  const found: Place[] = [{ path, schema }];
  for (const each of alternatives(schema, components)) {
    if (isObject(value) && each.properties)
      for (const [name, inner] of Object.entries(each.properties))
        if (Object.hasOwn(value, name)) found.push(...placesOf(value[name], inner, components, [...path, name]));
        else found.push({ path: [...path, name], schema: inner });
    if (Array.isArray(value) && each.items)
      value.slice(0, 3).forEach((item, index) => {
        found.push(...placesOf(item, each.items!, components, [...path, index]));
      });
  }
  return found;
}

function replaced(value: unknown, [key, ...rest]: Place['path'], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((each, index) => (index === key ? replaced(each, rest, by) : each));
  const object = (isObject(value) ? value : {}) as Record<string, unknown>;
  return { ...object, [key]: replaced(object[key], rest, by) };
}

/** A key more, or one less. */
function ofKeys(
  body: Readonly<Record<string, unknown>>,
  schema: Schema,
  components: Components,
  random: Random,
): Mutation {
  const { required = [] } = resolved(schema, components);
  const text = JSON.stringify(body);
  const begin = (key: string, value: string) =>
    `{${JSON.stringify(key)}: ${value}${text === '{}' ? '' : ', '}${text.slice(1)}`;
  if (required.length > 0 && random.chance(0.3)) {
    const name = random.pick(required);
    const { [name]: _, ...others } = body;
    return { kind: 'missing', at: `/${name}`, body: JSON.stringify(others), mustFail: true };
  }
  const key = random.pick([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'surprise',
    '',
    'X_note',
    'a\ud800',
    'k'.repeat(5_000),
  ]);
  return {
    kind: 'extra key',
    at: `/${key.slice(0, 20)}`,
    body: begin(key, random.pick(['1', '{"state": "fl"}', '[]'])),
    mustFail: false,
  };
}

/** Makes a body that is not valid JSON, or not valid text. */
function ofText(body: unknown, random: Random): Mutation {
  const text = JSON.stringify(body);
  const bodies: Readonly<Record<string, string | Uint8Array>> = {
    cut: text.slice(0, -1),
    nothing: '',
    blank: '  \n',
    'two values': `${text} ${text}`,
    comment: `${text} // a note`,
    NaN: text.replace(/\}$/, `${text === '{}' ? '' : ','} "x_n": NaN}`),
    'trailing comma': text.replace(/\}$/, ',}'),
    'single quotes': "{'state': 'tx'}",
    'not UTF-8': new Uint8Array([...new TextEncoder().encode(text.slice(0, -1)), 0xff, 0xfe, 0x7d]),
    'UTF-16': new Uint8Array(Buffer.from(text, 'utf16le')),
    'NUL bytes': new Uint8Array([0, 0, 0, 0]),
  };
  const kind = random.pick(Object.keys(bodies));
  return { kind, at: '', body: bodies[kind]!, mustFail: true };
}

function isText({ schema }: Place, components: Components): boolean {
  return alternatives(schema, components).some(({ type }) => type === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
