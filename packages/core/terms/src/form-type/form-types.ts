import { fold } from '../spelling/fold.ts';

/** Form types of homes, in display order. */
export const formTypes = ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'] as const;
/** Canonical spelling; other lines of business add theirs. */
export type FormType = string;

/** Other spellings, folded (see `fold`). */
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

/**
 * Finds a form type in any usual spelling; undefined if there is none.
 * @example
 * findFormType('HO 00 03'); // 'ho3'
 */
export function findFormType(text: string): FormType | undefined {
  return text.length <= 100 ? bySpelling.get(fold(text)) : undefined;
}
