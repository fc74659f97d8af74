import { checkState, statePattern } from '@leeward/places/counties';
import { type Checked, checkDate, checkInstant, type SoldLines, timePatterns } from '@leeward/terms';
import { z } from 'zod';
import { MAX_NETWORKS, readNetwork } from '../token/networks.ts';

/** Control characters, surrogates, line separators, and changes of the text direction. */
export const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Malformed identifiers are not found, like unknown ones. */
export const identifierField = z.string().max(200).meta({ description: 'As the API gave it.', minLength: 1 });

/** Pattern of JSON Schema: one line of printable text that is not blank. */
const control = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';
const printableLine = `^[^${control}]*[^\\s${control}][^${control}]*$`;

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
  .meta({ description: 'Free text of one line.', pattern: printableLine });

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

/** Uses the checks and messages of all inputs. */
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
}).meta({ description: 'A state, by name or abbreviation.', pattern: statePattern, examples: ['fl'] });

/** Removes duplicates. Refuses an empty list, which would mean nothing. */
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
  someOf(checkedField((text) => checkFormType(text)).meta({ enum: [...formTypes] }), formTypes.length)
    .nullish()
    .meta({ description: 'Policy types it is limited to; null or left out: all.' });

export const policyTypesItem = ({ formTypes }: SoldLines) =>
  z
    .array(z.enum(formTypes as [string, ...string[]]))
    .readonly()
    .nullable();

export const dateField = (name: string) =>
  checkedField((text) => checkDate(name, text))
    .meta({ format: 'date', pattern: timePatterns.date })
    .nullish();

/** An instant, normalized to UTC. */
export const instantField = (name: string) =>
  checkedField((text) => {
    const checked = checkInstant(name, text);
    return 'value' in checked ? { value: checked.value.text } : checked;
  })
    .meta({ format: 'date-time', pattern: timePatterns.instant })
    .nullish()
    .meta({ description: 'An instant with its offset from UTC.', examples: ['2027-01-01T00:00:00Z'] });

/** Addresses and networks in their usual spelling, without duplicates. */
export const networksField = z
  .array(
    z
      .string()
      .min(1)
      .transform((text, context): string => {
        const read = readNetwork(text);
        if ('network' in read) return read.network;
        context.addIssue({ code: 'custom', message: read.message, params: { code: 'invalid_network' } });
        return z.NEVER;
      }),
  )
  .min(1)
  .max(MAX_NETWORKS)
  .transform((networks) => [...new Set(networks)].sort())
  .nullish()
  .meta({
    description:
      'Networks that the token is valid in: IPv4 and IPv6 addresses, or networks in CIDR notation; null or left out: any. Requests from other addresses are answered 403.',
    examples: [['203.0.113.7', '2001:db8::/48']],
  });

/** Revision that the caller read. */
export const revisionField = z
  .int()
  .min(1)
  .meta({ description: 'The revision last seen: a change made since then is not overwritten but answered 409.' });

/** Optional for tokens of an organization. */
export const organizationField = identifierField
  .nullish()
  .meta({ description: "The organization; an organization's own token may leave it out." });

/** A short form for messages. Not for values of people. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
