import type { Random } from './random.ts';
import { alternatives, type Components, type Schema, wordsOf } from './schema.ts';

/** Makes a value for a field by name, where the service is stricter than the schema. */
export type Hints = Readonly<Record<string, (random: Random) => unknown>>;

export interface Making {
  readonly random: Random;
  readonly components: Components;
  readonly hints: Hints;
}

/** A value that fits a schema: now the least, now the most, mostly something between. */
export function validValue(schema: Schema, making: Making, name = ''): unknown {
  const { random, components, hints } = making;
  const hint = Object.hasOwn(hints, name) ? hints[name] : undefined;
  if (hint && random.chance(0.9)) return hint(random);
  const options = alternatives(schema, components);
  const words = wordsOf(schema, components);
  if (words.length > 0 && random.chance(0.95)) return spelt(random.pick(words), options, random);
  // If other text is allowed too, a random text would rarely be one of the words.
  const kinds = words.length > 0 ? options.filter((each) => each.enum || each.type !== 'string') : options;
  return valueOfKind(random.pick(kinds), making);
}

function valueOfKind(schema: Schema, making: Making): unknown {
  const { random } = making;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  switch (schema.type) {
    case 'null':
      return null;
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return numberOf(schema, random);
    case 'string':
      return textOf(schema, random);
    case 'array': {
      const { minItems = 0, maxItems = 3 } = schema;
      const length = random.integer(minItems, Math.max(minItems, Math.min(maxItems, minItems + 3)));
      return Array.from({ length }, () => validValue(schema.items ?? {}, making));
    }
    case 'object':
      return objectOf(schema, making);
    default:
      return random.pick<unknown>([null, 7, 'anything', true, [], { any: 'thing' }]);
  }
}

function objectOf(schema: Schema, making: Making): Record<string, unknown> {
  const { random } = making;
  const { properties = {}, required = [], dependentRequired = {}, patternProperties = {} } = schema;
  const share = random.pick([0, 0.2, 0.5, 1]);
  const names = new Set(Object.keys(properties).filter((name) => required.includes(name) || random.chance(share)));
  for (const name of [...names]) for (const other of dependentRequired[name] ?? []) names.add(other);
  const value = Object.fromEntries([...names].map((name) => [name, validValue(properties[name]!, making, name)]));
  if (Object.hasOwn(patternProperties, '^x_') && random.chance(0.1)) value['x_note'] = { any: ['thing', 1e300, null] };
  if (schema.additionalProperties === true && random.chance(0.2))
    value['agency_code'] = random.pick(['A-1', 7, [1], null]);
  return value;
}

function numberOf({ type, minimum, maximum }: Schema, random: Random): number {
  const least = Math.max(minimum ?? -1_000_000, -1_000_000_000);
  const most = Math.min(maximum ?? 1_000_000, 1_000_000_000);
  if (random.chance(0.1)) return least;
  if (random.chance(0.1)) return most;
  return type === 'integer'
    ? random.integer(Math.ceil(least), Math.floor(most))
    : least + random.next() * (most - least);
}

const texts = [
  'a',
  'Jordan Ellis',
  'O’Brien & Söhne',
  "Robert'); DROP TABLE teams;--",
  '山田 花子',
  '<b>x</b>',
  '100%',
  '{home_age}',
];

function textOf({ format, pattern, minLength = 0, maxLength = 1_000, examples = [] }: Schema, random: Random): string {
  if (typeof examples[0] === 'string') return examples[0];
  if (format === 'email')
    return random.pick(['dana@example.com', 'pat.rivera@palmetto-coast.example', 'x+y@sub.example.org']);
  if (format === 'date') return random.pick(['2026-12-01', '2024-02-29', '2027-06-30']);
  if (format === 'date-time') return random.pick(['2027-01-01T00:00:00Z', '2031-05-05T10:20:30.5-05:00']);
  if (pattern !== undefined)
    return random.pick(
      ['7', '12', '3', '40', '2019', 'bayou_mutual'].filter((each) => new RegExp(pattern).test(each)).concat('1'),
    );
  const text = random.chance(0.05) ? 'w'.repeat(maxLength) : random.pick(texts);
  return text.slice(0, maxLength).padEnd(minLength, '0');
}

/** A word as people write it, where the document lets them. */
function spelt(word: unknown, options: readonly Schema[], random: Random): unknown {
  const isFree = options.some((each) => each.type === 'string' && !each.enum);
  if (typeof word !== 'string' || !isFree || random.chance(0.6)) return word;
  return random.pick([word.toUpperCase(), ` ${word} `, word.replaceAll(' ', '-'), word.replaceAll(' ', '  ')]);
}
