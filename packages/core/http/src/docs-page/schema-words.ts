import { isReference, nameOf, type Schema } from './document-model.ts';
import { type Content, type Html, html } from './html.ts';

export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

/** `integer from 1 to 10`, `list of Verdict`, `text or null`. */
export function typeWords(schema: Schema): Html {
  if (isReference(schema)) {
    const name = nameOf(schema);
    return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
  }
  const alternatives = alternativesOf(schema);
  if (alternatives) return joined(alternatives.map(typeWords), ' or ');
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.items) return html`list of ${typeWords(schema.items)}${countWords(schema)}`;
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return html`${schema.enum ? 'one of a list' : 'anything'}`;
  return joined(
    types.map((type) => html`${names[type] ?? type}${rangeWords(type, schema)}`),
    ' or ',
  );
}

const names: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  null: 'null',
};

/** Empty for other schemas. */
export function wordsOf(schema: Schema): readonly unknown[] {
  if (schema.enum) return schema.enum;
  if (schema.items) return wordsOf(schema.items);
  return alternativesOf(schema)?.flatMap(wordsOf) ?? [];
}

/** Its fields are shown in place. */
export function ownObject(schema: Schema): Schema | undefined {
  if (isReference(schema)) return undefined;
  if (schema.properties && Object.keys(schema.properties).length > 0) return schema;
  if (schema.items) return ownObject(schema.items);
  return alternativesOf(schema)?.map(ownObject).find(Boolean);
}

/** An enumeration with other spellings counts once. */
function alternativesOf(schema: Schema): readonly Schema[] | undefined {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (!alternatives) return undefined;
  const flat = alternatives.flatMap((each) => alternativesOf(each) ?? [each]);
  const hasWords = flat.some((each) => each.enum !== undefined);
  return flat.filter((each) => !(hasWords && each.type === 'string' && !each.enum && !each.pattern));
}

function rangeWords(type: string, schema: Schema): Content {
  const { minimum, maximum, maxLength, minLength, format, enum: words } = schema;
  if (type === 'integer' || type === 'number') {
    const min = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
    const max = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
    if (min !== undefined && max !== undefined) return ` from ${print(min)} to ${print(max)}`;
    if (min !== undefined) return ` from ${print(min)}`;
    return max === undefined ? undefined : ` to ${print(max)}`;
  }
  if (type !== 'string' || words) return undefined;
  if (format !== undefined) return ` (${format})`;
  if (schema.pattern === '^\\d{1,15}$' || schema.pattern === '^\\d{1,15}(\\.\\d{1,15})?$') return ' of digits';
  if (maxLength !== undefined) return ` of up to ${print(maxLength)} characters`;
  return minLength === undefined ? undefined : '';
}

function countWords({ minItems, maxItems }: Schema): Content {
  if (maxItems === undefined) return undefined;
  return `, ${minItems === undefined ? 'up to' : `${print(minItems)} to`} ${print(maxItems)}`;
}

function print(number: number): string {
  return number.toLocaleString('en-US');
}

function joined(parts: readonly Html[], separator: string): Html {
  const written = [...new Map(parts.map((part) => [part.text, part])).values()];
  return html`${written.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;
}
