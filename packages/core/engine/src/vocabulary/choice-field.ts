import { didYouMean, fold, quoteValue } from '@leeward/terms';
import * as z from 'zod';
import type { Change, FieldOf } from './field.ts';

/** Options of {@link choiceField}. */
export interface ChoiceFieldOptions {
  readonly label: string;
  readonly words: readonly string[];
  readonly change: Change;
  readonly description: string;
  /** Value of an ordinary property. @default the first word */
  readonly typical?: string;
  /** Other spellings, folded (see `fold` of @leeward/terms). @default {} */
  readonly spellings?: Readonly<Record<string, string>>;
}

/**
 * A field with one word of a fixed list. Requests may differ in case, hyphens and blanks.
 *
 * @example
 *  choiceField('usage', {
 *    label: 'usage',
 *    words: ['primary', 'rental'],
 *    change: { kind: 'any' },
 *    description: 'How the home is used.',
 *  })
 */
export function choiceField<const Name extends string, const Word extends string>(
  name: Name,
  options: ChoiceFieldOptions & { readonly words: readonly Word[]; readonly typical?: NoInfer<Word> },
): FieldOf<Name, Word> {
  const { label, words, change, description } = options;
  return {
    name,
    requestName: name,
    label,
    change,
    ...(options.typical === undefined ? {} : { typical: options.typical }),
    ...(options.spellings === undefined ? {} : { spellings: options.spellings }),
    domain: () => ({ kind: 'words', words }),
    schema: choiceSchema(name, words, options).meta({ description }),
    resolve: (value) => value as string,
  };
}

export function choiceSchema(
  name: string,
  words: readonly string[],
  options: {
    readonly spellings?: Readonly<Record<string, string>> | undefined;
    /** Fault code of an unknown word. @default 'unknown_value' */
    readonly code?: string;
  } = {},
): z.ZodType {
  const { spellings = {}, code = 'unknown_value' } = options;
  const bySpelling = new Map<string, string>(Object.entries(spellings));
  for (const word of words) bySpelling.set(fold(word), word);
  return z
    .enum(words as [string, ...string[]])
    .nullish()
    .catch((context) => context.value as never)
    .transform((value: unknown, context) => {
      if (value === null || value === undefined) return undefined;
      const word = typeof value === 'string' && value.length <= 200 ? bySpelling.get(fold(value)) : undefined;
      if (word !== undefined) return word;
      const hint = typeof value === 'string' ? didYouMean(value, words) : '';
      context.addIssue({
        code: 'custom',
        message: `${name} is ${quoteValue(value)}; give one of: ${words.join(', ')}.${hint}`,
        params: { code: typeof value === 'string' ? code : 'invalid_type' },
      });
      return z.NEVER;
    });
}
