import type { Line } from '@leeward/engine';
import { insuredFields, type QuotedLine, type QuoteField } from '@leeward/quotes';
import { type JsonObject, type JsonValue, type SoldLine, withoutBlanks } from '@leeward/terms';
import { jsonSchemaOf } from '../document/component-schemas.ts';

/**
 * Products of a line.
 *
 * @example
 * createAccounts({ store, lines: [soldLine(renters)] });
 */
export function soldLine({ vocabulary, products }: Line): SoldLine {
  const { line, policyTypes, policyTypeSpellings } = vocabulary;
  return { line, formTypes: policyTypes, spellings: policyTypeSpellings, products };
}

const quotedLines = new WeakMap<Line, QuotedLine>();

/**
 * Fields of the insured, then those of the line.
 *
 * @example
 * createQuotes({ database, queue, carriers, teams, lines: [quotedLine(renters)] });
 */
export function quotedLine(line: Line): QuotedLine {
  let quoted = quotedLines.get(line);
  if (!quoted) {
    quoted = { ...soldLine(line), fields: [...insuredFields, ...fieldsOf(line)] };
    quotedLines.set(line, quoted);
  }
  return quoted;
}

type Field = Line['vocabulary']['fields'][number];

/** Required ones first. */
function fieldsOf({ vocabulary, quoteFields }: Line): QuoteField[] {
  const insuredKeys = new Set(insuredFields.map(({ key }) => key));
  const byName = new Map<string, Field[]>();
  for (const field of vocabulary.fields) {
    if (!field.schema || insuredKeys.has(field.requestName)) continue;
    byName.set(field.requestName, [...(byName.get(field.requestName) ?? []), field]);
  }
  const required = quoteFields.filter((name) => byName.has(name));
  const others = [...byName.keys()].filter((name) => !quoteFields.includes(name));
  return [
    ...required.map((name) => quoteFieldOf(byName.get(name)!, true)),
    ...others.map((name) => quoteFieldOf(byName.get(name)!, false)),
  ];
}

/** Members of a set share a name. */
function quoteFieldOf(fields: readonly Field[], isRequired: boolean): QuoteField {
  const [{ requestName: key, schema }] = fields as [Field, ...Field[]];
  return {
    key,
    isRequired,
    schema: jsonSchemaOf(schema!, 'input') as JsonObject,
    read(value, context) {
      const read = schema!.safeParse(withoutBlanks(schema!, value));
      if (!read.success) {
        const { message, ...issue } = read.error.issues[0]!;
        const code = issue.code === 'custom' ? String(issue.params?.['code'] ?? 'invalid') : issue.code;
        return { code, message };
      }
      for (const { resolve } of fields) {
        const resolved = resolve?.(read.data, context);
        if (typeof resolved === 'object') return resolved;
      }
      return { value: read.data as JsonValue };
    },
  };
}
