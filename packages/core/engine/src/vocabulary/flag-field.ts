import { quoteValue } from '@leeward/terms';
import * as z from 'zod';
import type { Change, FieldOf, ValueForm } from './field.ts';

/** Options of {@link flagField}. */
export interface FlagFieldOptions {
  readonly label: string;
  /** `{ kind: 'words', words: ['yes'] }` if a person can only add the feature, `['no']` if only remove it. */
  readonly change: Change;
  readonly description: string;
  /** Value of an ordinary property. @default false */
  readonly typical?: boolean;
}

/** Value of a missing flag, or of a word outside a set. */
export const NO = 'no';
export const YES = 'yes';
const words = [NO, YES];

const flagForm: ValueForm = {
  name: 'flag',
  words: 'true or false',
  read: (written) => (written === true ? YES : written === false ? NO : undefined),
  write: (value) => value === YES,
  schema: { type: 'boolean' },
};

/**
 * A field with `true` or `false`, in requests and in rules.
 *
 * @example flagField('gated', { label: 'gated community', change: { kind: 'never' }, description: 'In a gated community.' })
 */
export function flagField<const Name extends string>(
  name: Name,
  { label, change, description, typical = false }: FlagFieldOptions,
): FieldOf<Name, boolean> {
  return {
    name,
    requestName: name,
    label,
    change,
    typical: flagForm.read(typical)!,
    domain: () => ({ kind: 'words', words }),
    schema: flagSchema(name).meta({ description }),
    resolve: (value) => flagForm.read(value)!,
    echo: flagForm.write,
    form: flagForm,
  };
}

export function flagSchema(name: string): z.ZodType<boolean | undefined> {
  return z
    .boolean()
    .nullish()
    .catch((context) => context.value as never)
    .transform((value: unknown, context) => {
      if (value === null || value === undefined) return undefined;
      if (typeof value === 'boolean') return value;
      const message = `${name} is ${quoteValue(value)}; give true or false.`;
      context.addIssue({ code: 'custom', message, params: { code: 'invalid_type' } });
      return z.NEVER;
    }) as z.ZodType<boolean | undefined>;
}
