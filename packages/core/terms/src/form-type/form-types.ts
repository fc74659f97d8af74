import { type Checked, quoteValue } from '../fault/fault.ts';
import { fold } from '../spelling/fold.ts';
import { didYouMean } from '../spelling/suggest.ts';

/** The home forms that are quoted, in the order in which they are listed. */
export const formTypes = ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'] as const;
/** A form type in its one spelling, of some line of business: homes have those above. */
export type FormType = string;

/** Other spellings of form types, folded (see `fold`): the numbers of the forms, and what people call them. */
export const formTypeSpellings: Readonly<Record<string, FormType>> = {
  ho03: 'ho3',
  ho05: 'ho5',
  ho08: 'ho8',
  dp01: 'dp1',
  dp03: 'dp3',
  ho0003: 'ho3',
  ho0005: 'ho5',
  ho0008: 'ho8',
  dp0001: 'dp1',
  dp0003: 'dp3',
  wind: 'wind only',
  windx: 'x-wind',
  exwind: 'x-wind',
  windexcluded: 'x-wind',
};

const bySpelling = new Map<string, FormType>([
  ...formTypes.map((formType) => [fold(formType), formType] as const),
  ...Object.entries(formTypeSpellings),
]);

/** The form type meant by `"HO-3"`, `"HO 00 03"`, `"wind-x"`; undefined where none is. */
export function findFormType(text: string): FormType | undefined {
  return text.length <= 100 ? bySpelling.get(fold(text)) : undefined;
}

/** A form type as every door reads it, out of those that are meant there. */
export function checkFormType(value: unknown, known: readonly FormType[] = formTypes): Checked<FormType> {
  const formType = typeof value === 'string' ? findFormType(value) : undefined;
  if (formType !== undefined && known.includes(formType)) return { value: formType };
  const hint = typeof value === 'string' ? didYouMean(value, known) : '';
  const code = typeof value === 'string' ? 'unknown_policy_type' : 'invalid_type';
  return { code, message: `${quoteValue(value)} is no policy type; there are: ${known.join(', ')}.${hint}` };
}
