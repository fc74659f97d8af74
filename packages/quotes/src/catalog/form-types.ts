import { fold } from '../fold.ts';

/** The home forms that are quoted, in the order in which they are listed. */
export const formTypes = ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'] as const;
export type FormType = (typeof formTypes)[number];

const spellings = new Map<string, FormType>([
  ...formTypes.map((formType) => [fold(formType), formType] as const),
  ['ho0003', 'ho3'],
  ['ho0005', 'ho5'],
  ['ho0008', 'ho8'],
  ['dp0001', 'dp1'],
  ['dp0003', 'dp3'],
  ['wind', 'wind only'],
  ['windx', 'x-wind'],
  ['exwind', 'x-wind'],
  ['windexcluded', 'x-wind'],
]);

/** The form type meant by `"HO-3"`, `" ho3 "`, `"wind-x"`; undefined where none is. */
export function findFormType(text: string): FormType | undefined {
  return text.length <= 100 ? spellings.get(fold(text)) : undefined;
}
