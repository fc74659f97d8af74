import { didYouMean, fold, quoteValue } from '@leeward/terms';
import * as z from 'zod';
import type { Change, FieldOf } from './field.ts';
import { NO, YES } from './flag-field.ts';

/** Options of {@link setField}. */
export interface SetFieldOptions {
  readonly label: string;
  readonly words: readonly string[];
  /** Possible changes of each word: `{ kind: 'words', words: ['no'] }` if a person can only remove it, `['yes']` if only add it. */
  readonly change: Change;
  readonly description: string;
}

/**
 * A set: any number of words of a fixed list, in requests a list. Rules test which words it contains. Returns one field for each word,
 * so that some words may be unknown; spread the result into the fields of a vocabulary.
 *
 * @example
 *  const fields = [
 *    ...setField('hazards', {
 *      label: 'hazards',
 *      words: ['pool', 'trampoline'],
 *      change: { kind: 'words', words: ['no'] },
 *      description: 'Hazards on the property.',
 *    }),
 *  ];
 */
export function setField<const Name extends string, const Word extends string>(
  name: Name,
  options: SetFieldOptions & { readonly words: readonly Word[] },
): readonly FieldOf<`${Name}:${Word}`, readonly Word[], Name>[] {
  const { label, words, change, description } = options;
  const schema = setSchema(name, words).meta({ description });
  const each: readonly Word[] = words;
  return each.map((word) => ({
    name: `${name}:${word}` as const,
    requestName: name,
    label: `${label}: ${word}`,
    change,
    domain: () => ({ kind: 'words', words: [NO, YES] }),
    schema,
    resolve: (list) => ((list as readonly string[]).includes(word) ? YES : NO),
    member: { set: name, label, word },
  }));
}

function setSchema(name: string, words: readonly string[]): z.ZodType {
  const bySpelling = new Map(words.map((word) => [fold(word), word]));
  return z
    .array(z.enum(words as [string, ...string[]]))
    .nullish()
    .catch((context) => context.value as never)
    .transform((value: unknown, context) => {
      if (value === null || value === undefined) return undefined;
      const fail = (code: string, message: string, path: readonly number[] = []): never => {
        context.addIssue({ code: 'custom', message, params: { code }, path: [...path] });
        return z.NEVER;
      };
      const list = `a list of: ${words.join(', ')}`;
      if (!Array.isArray(value)) return fail('invalid_type', `${name} is ${quoteValue(value)}; give ${list}.`);
      if (value.length > 10 * words.length) return fail('too_long', `${name} has ${value.length} words; give ${list}.`);
      const contained = new Set<string>();
      for (const [index, each] of (value as readonly unknown[]).entries()) {
        const isText = typeof each === 'string' && each.length <= 200;
        const word = isText ? bySpelling.get(fold(each)) : undefined;
        if (word !== undefined) contained.add(word);
        else {
          const hint = isText ? didYouMean(each, words) : '';
          const code = typeof each === 'string' ? 'unknown_value' : 'invalid_type';
          fail(code, `${name} has ${quoteValue(each)}; give ${list}.${hint}`, [index]);
        }
      }
      return words.filter((word) => contained.has(word));
    });
}
