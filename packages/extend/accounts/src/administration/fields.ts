import { checkState } from '@leeward/places/counties';
import { type Checked, checkDate, checkInstant, type SoldLines } from '@leeward/terms';
import { z } from 'zod';

/** Control characters, halves of surrogate pairs, line separators, and what turns the direction of text round. */
export const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** An identifier is any text: one that could be none is not found, as an unknown one is. */
export const identifierField = z.string().max(200).meta({ description: 'As the API gave it.' });

/** One line of printable text. */
export const nameField = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !unprintable.test(text), {
    params: { code: 'invalid_text' },
    error: 'must be one line of printable text, without control characters.',
  })
  .meta({ description: 'Free text of one line.' });

export const emailField = z
  .string()
  .trim()
  .max(254)
  .refine((text) => !unprintable.test(text), {
    params: { code: 'invalid_text' },
    error: 'must be printable text, without control characters.',
  })
  .pipe(z.email({ pattern: z.regexes.unicodeEmail }))
  .meta({ description: 'An e-mail address; capitals make no difference.', format: 'email' });

/** Key of a carrier. */
export const carrierKeyField = z
  .string()
  .refine((text) => /^[a-z][a-z0-9_]{0,63}$/.test(text), {
    params: { code: 'invalid_carrier_key' },
    error: (issue) =>
      `must be a carrier's key, lower-case letters, digits and underscores; this is ${formatValue(issue.input)}.`,
  })
  .meta({ description: "A carrier's key.", pattern: '^[a-z][a-z0-9_]{0,63}$', examples: ['bayou_mutual'] });

/** A field with the check, and the message, that all of the service's inputs share. */
const checkedField = <Value extends string>(check: (text: string) => Checked<Value>) =>
  z.string().transform((text, context): Value => {
    const checked = check(text);
    if ('value' in checked) return checked.value;
    context.addIssue({ code: 'custom', message: checked.message, params: { code: checked.code } });
    return z.NEVER;
  });

const stateField = checkedField((text) => {
  const checked = checkState(text);
  return 'value' in checked ? { value: checked.value.code } : checked;
}).meta({ description: 'A state, by name or abbreviation.', examples: ['fl'] });

/** Written twice it counts once; an empty list would mean nothing at all, which is what removing is for. */
const someOf = <Item extends z.ZodType<string>>(item: Item, max: number) =>
  z
    .array(item)
    .min(1)
    .max(max)
    .transform((items) => [...new Set(items)].sort());

export const statesField = someOf(stateField, 60)
  .nullish()
  .meta({ description: 'States it is limited to; null or left out: all.' });

export const policyTypesField = ({ formTypes, checkFormType }: SoldLines) =>
  someOf(
    checkedField((text) => checkFormType(text)),
    formTypes.length,
  )
    .nullish()
    .meta({ description: 'Policy types it is limited to; null or left out: all.' });

/** Policy types as the API returns them. */
export const policyTypesItem = ({ formTypes }: SoldLines) =>
  z
    .array(z.enum(formTypes as [string, ...string[]]))
    .readonly()
    .nullable();

export const dateField = (name: string) =>
  checkedField((text) => checkDate(name, text))
    .meta({ format: 'date' })
    .nullish();

export const instantField = (name: string) =>
  checkedField((text) => {
    const checked = checkInstant(name, text);
    return 'value' in checked ? { value: checked.value.text } : checked;
  })
    .meta({ format: 'date-time' })
    .nullish()
    .meta({ description: 'An instant with its offset from UTC.', examples: ['2027-01-01T00:00:00Z'] });

/** Revision that the caller read. */
export const revisionField = z
  .int()
  .min(1)
  .meta({ description: 'The revision last seen: a change made since then is not overwritten but answered 409.' });

/** Organization of a request; optional for tokens of an organization. */
export const organizationField = identifierField
  .nullish()
  .meta({ description: "The organization; an organization's own token may leave it out." });

/** A value received, fit for a message: short, and of this vocabulary, never of people. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
