import { fold } from '../spelling/fold.ts';
import type { FormType } from './form-types.ts';

/** Form types that are quoted together. */
export interface Product {
  readonly code: string;
  readonly name: string;
  readonly formTypes: readonly FormType[];
}

/** What can be quoted of homes. Every form type belongs to one product. */
export const products = [
  { code: 'homeowners', name: 'Homeowners', formTypes: ['ho3', 'ho5', 'ho8'] },
  { code: 'dwelling_fire', name: 'Dwelling Fire', formTypes: ['dp1', 'dp3'] },
  { code: 'wind', name: 'Wind Only', formTypes: ['wind only'] },
  { code: 'ex_wind', name: 'Ex-Wind', formTypes: ['x-wind'] },
] as const satisfies readonly Product[];
/** The code of a product, as quoting has it, of some line of business: homes have those above. */
export type ProductCode = string;

const byFoldedCode = new Map<string, (typeof products)[number]>(
  products.map((product) => [fold(product.code), product]),
);

/** The product meant by `"homeowners"`, `"Dwelling-Fire"`; undefined where none is. */
export function findProduct(text: string): (typeof products)[number] | undefined {
  return text.length <= 100 ? byFoldedCode.get(fold(text)) : undefined;
}

/** The product that a form type belongs to. */
export function productOf(formType: FormType): (typeof products)[number] {
  return products.find((product) => (product.formTypes as readonly FormType[]).includes(formType))!;
}
