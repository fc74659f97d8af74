import { type Fault, isGiven, isObject, type JsonObject, pointer, quoteValue } from '@leeward/terms';
import { quoteFields } from '../catalog/quote-fields.ts';

/** Names of a quote's fields by which an insured is known. */
export const insuredKeys = [
  'insured_email',
  'insured_phone',
  'first_name',
  'last_name',
  'insured_date_of_birth',
] as const;

/** Whether a quote's fields are those of one insured. */
export type IsInsured = (fields: JsonObject) => boolean;

/**
 * Who is meant: an e-mail address, a telephone number, or a family name with a date of birth, each read as in a quote. All
 * that is given must fit.
 */
export function readInsuredQuery(
  body: unknown,
  today: string,
): { readonly isInsured: IsInsured } | { readonly faults: Fault[] } {
  if (!isObject(body)) {
    return { faults: [{ path: '', code: 'invalid_type', message: 'Name the insured in a JSON object.' }] };
  }
  const faults: Fault[] = [];
  const wanted = new Map<string, string>();
  const context = { today, effectiveYear: Number(today.slice(0, 4)) };
  for (const [key, value] of Object.entries(body)) {
    const field = quoteFields.find((each) => each.key === key);
    if (field === undefined || !insuredKeys.includes(key as (typeof insuredKeys)[number])) {
      const message = `${quoteValue(key)} is unknown here; give some of: ${insuredKeys.join(', ')}.`;
      faults.push({ path: pointer(key), code: 'unknown_field', message });
    } else if (isGiven(value)) {
      const read = field.read(value as string, context);
      if ('value' in read) wanted.set(key, plain(read.value));
      else faults.push({ path: pointer(key), code: read.code, message: read.message });
    }
  }
  const isEnough =
    wanted.has('insured_email') ||
    wanted.has('insured_phone') ||
    (wanted.has('last_name') && wanted.has('insured_date_of_birth'));
  if (faults.length === 0 && !isEnough) {
    const message =
      'Give insured_email, insured_phone, or last_name and insured_date_of_birth: less could be many people.';
    faults.push({ path: '', code: 'required', message });
  }
  if (faults.length > 0) return { faults };
  return {
    isInsured: (fields) => [...wanted].every(([key, value]) => plain(fields[key]) === value),
  };
}

/** Capitals say nothing of who somebody is. */
function plain(value: unknown): string {
  return String(value ?? '')
    .normalize('NFC')
    .trim()
    .toLowerCase();
}
