import { didYouMean, isObject, quoteValue, timePatterns, withoutEval } from '@leeward/terms';
import * as z from 'zod';
import { choiceField } from './choice-field.ts';
import { dateField } from './date-field.ts';
import type { Field } from './field.ts';
import { flagField } from './flag-field.ts';
import {
  daysOf,
  FIRST_DATE,
  type ItemField,
  LAST_DATE,
  type ListField,
  MAX_ITEM_AGE,
  type WrittenItem,
} from './list-field.ts';
import { decimalField, integerField } from './number-field.ts';
import type { Vocabulary } from './vocabulary.ts';

const vocabularies = new WeakMap<ListField, Vocabulary>();

/** The vocabulary of the items of a list: the facts that `where` may test. Ages have a unit, and no view. */
export function itemVocabulary(list: ListField): Vocabulary {
  let vocabulary = vocabularies.get(list);
  if (!vocabulary) {
    vocabulary = {
      line: list.name,
      policyTypes: [],
      policyTypeSpellings: {},
      fields: list.fields.flatMap(fieldsOf),
      derivedFacts: [],
      relations: [],
      givenTogether: [],
      codes: [],
    };
    vocabularies.set(list, vocabulary);
  }
  return vocabulary;
}

function fieldsOf(field: ItemField): readonly Field[] {
  const { name, label, description } = field;
  const common = { label, description, change: { kind: 'never' } } as const;
  switch (field.kind) {
    case 'number':
      return [
        (field.isDecimal ? decimalField : integerField)(name, {
          ...common,
          min: field.min,
          max: field.max,
          ...(field.unit === undefined ? {} : { unit: field.unit }),
        }),
      ];
    case 'word':
      return [choiceField(name, { ...common, words: field.words })];
    case 'flag':
      return [flagField(name, common)];
    case 'date':
      return [
        dateField(name, { ...common, min: FIRST_DATE, max: LAST_DATE }),
        integerField(field.age, { ...common, label: field.ageLabel, unit: 'years', min: 0, max: MAX_ITEM_AGE }),
      ];
  }
}

const listSchemas = new WeakMap<ListField, z.ZodType>();

/** Lenient schema of a list in requests. Returns normalized items. */
export function listSchemaOf(list: ListField): z.ZodType {
  let schema = listSchemas.get(list);
  if (!schema) {
    schema = listSchema(list);
    listSchemas.set(list, schema);
  }
  return schema;
}

function listSchema(list: ListField): z.ZodType {
  const { name, maxItems, fields, description } = list;
  const schemas = new Map<string, z.ZodType>(
    itemVocabulary(list).fields.flatMap((field) => {
      const own = fields.find((each) => each.name === field.name);
      if (!own) return [];
      const schema = own.kind === 'date' ? itemDateSchema(own.name) : field.schema!;
      return [[own.name, schema.meta({ description: own.description })]];
    }),
  );
  const readItem = (item: unknown, index: number, report: Report): WrittenItem => {
    const place = `${name}, item ${index + 1}`;
    const written: Record<string, string | number | boolean> = {};
    if (!isObject(item)) {
      report(
        [index],
        'invalid_type',
        `${place} is ${quoteValue(item)}; give an object with: ${[...schemas.keys()].join(', ')}.`,
      );
      return written;
    }
    for (const [key, value] of Object.entries(item)) {
      const schema = schemas.get(key);
      if (!schema) {
        const names = [...schemas.keys()];
        const message = `${place} has no field ${quoteValue(key)}; use: ${names.join(', ')}.${didYouMean(key, names)}`;
        if (!key.startsWith('x_')) report([index, key], 'unknown_field', message);
        continue;
      }
      if (typeof value === 'string' && value.trim() === '') continue;
      const parsed = schema.safeParse(value);
      if (parsed.success) {
        if (parsed.data !== undefined) written[key] = parsed.data as string | number | boolean;
      } else {
        const issue = parsed.error.issues[0]!;
        const code = issue.code === 'custom' ? String(issue.params?.['code'] ?? 'invalid') : issue.code;
        report([index, key], code, `${place}: ${issue.message}`);
      }
    }
    return written;
  };
  return withoutEval(() =>
    z
      .array(z.looseObject(Object.fromEntries(schemas)))
      .max(maxItems)
      .nullish()
      .catch((context) => context.value as never)
      .transform((value: unknown, context) => {
        if (value === null || value === undefined) return undefined;
        let failed = false;
        const report: Report = (path, code, message) => {
          failed = true;
          context.addIssue({ code: 'custom', message, params: { code }, path: [...path] });
        };
        if (!Array.isArray(value)) {
          report([], 'invalid_type', `${name} is ${quoteValue(value)}; give a list, [] for none.`);
        } else if (value.length > maxItems) {
          report([], 'too_long', `${name} has ${value.length} items; give at most ${maxItems}.`);
        }
        if (failed) return z.NEVER;
        const items = (value as readonly unknown[]).map((item, index) => readItem(item, index, report));
        return failed ? z.NEVER : items;
      }),
  ).meta({ description });
}

type Report = (path: readonly (string | number)[], code: string, message: string) => void;

function itemDateSchema(name: string): z.ZodType {
  return z
    .string()
    .regex(new RegExp(timePatterns.partialDate))
    .nullish()
    .catch((context) => context.value as never)
    .transform((value: unknown, context) => {
      if (value === null || value === undefined) return undefined;
      const text = typeof value === 'string' ? value.trim() : '';
      const days = daysOf(text);
      if (days && text >= FIRST_DATE.slice(0, text.length) && text <= LAST_DATE.slice(0, text.length)) return text;
      const message = `${name} is ${quoteValue(value)}; give a date from ${FIRST_DATE} to ${LAST_DATE} as YYYY-MM-DD, or YYYY-MM or YYYY if the rest is unknown.`;
      context.addIssue({
        code: 'custom',
        message,
        params: { code: typeof value !== 'string' ? 'invalid_type' : days ? 'out_of_range' : 'invalid_date' },
      });
      return z.NEVER;
    });
}
