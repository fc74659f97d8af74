import { type Fault, isGiven, isObject, type JsonObject, pointer, quoteValue } from '@leeward/terms';
import { quoteFields } from '../catalog/quote-fields.ts';

export const insuredKeys = [
  'insured_email',
  'insured_phone',
  'first_name',
  'last_name',
  'insured_date_of_birth',
] as const;

export type IsInsured = (fields: JsonObject) => boolean;

/** The values that name an insured, and what matches them. */
export interface InsuredQuery {
  readonly isInsured: IsInsured;
  readonly criteria: JsonObject;
}

/** Text of a keyed hash: equal for a query and the quotes that it matches. */
export function insuredText(teamId: string, fields: JsonObject, matchedBy: readonly string[]): string {
  return JSON.stringify([teamId, ...matchedBy.map((key) => [key, plain(fields[key])])]);
}

/** An e-mail address, a telephone number, or a family name with a date of birth, normalized as in a quote. All given values must match. */
export function readInsuredQuery(body: unknown, today: string): InsuredQuery | { readonly faults: Fault[] } {
  if (!isObject(body)) {
    return { faults: [{ path: '', code: 'invalid_type', message: 'Name the insured in a JSON object.' }] };
  }
  const faults: Fault[] = [];
  const criteria = new Map<string, string>();
  const context = { today, effectiveYear: Number(today.slice(0, 4)) };
  for (const [key, value] of Object.entries(body)) {
    const field = quoteFields.find((each) => each.key === key);
    if (field === undefined || !insuredKeys.includes(key as (typeof insuredKeys)[number])) {
      const message = `${quoteValue(key)} is unknown here; give some of: ${insuredKeys.join(', ')}.`;
      faults.push({ path: pointer(key), code: 'unknown_field', message });
    } else if (isGiven(value)) {
      const read = field.read(value as string, context);
      if ('value' in read) criteria.set(key, plain(read.value));
      else faults.push({ path: pointer(key), code: read.code, message: read.message });
    }
  }
  const isEnough =
    criteria.has('insured_email') ||
    criteria.has('insured_phone') ||
    (criteria.has('last_name') && criteria.has('insured_date_of_birth'));
  if (faults.length === 0 && !isEnough) {
    const message =
      'Give insured_email, insured_phone, or last_name and insured_date_of_birth: fewer values could match several people.';
    faults.push({ path: '', code: 'required', message });
  }
  if (faults.length > 0) return { faults };
  return {
    criteria: Object.fromEntries(criteria),
    isInsured: (fields) => [...criteria].every(([key, value]) => plain(fields[key]) === value),
  };
}

function plain(value: unknown): string {
  return String(value ?? '')
    .normalize('NFC')
    .trim()
    .toLowerCase();
}
