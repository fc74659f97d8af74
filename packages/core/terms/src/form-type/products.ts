import { fold } from '../spelling/fold.ts';
import type { FormType } from './form-types.ts';

/** Form types that are quoted together; each belongs to one product. */
export interface Product {
  readonly code: string;
  readonly name: string;
  readonly formTypes: readonly FormType[];
}

/** Products for homes. */
export const products = [
  { code: 'homeowners', name: 'Homeowners', formTypes: ['ho3', 'ho5', 'ho8'] },
  { code: 'dwelling_fire', name: 'Dwelling Fire', formTypes: ['dp1', 'dp3'] },
  { code: 'wind', name: 'Wind Only', formTypes: ['wind only'] },
  { code: 'ex_wind', name: 'Ex-Wind', formTypes: ['x-wind'] },
] as const satisfies readonly Product[];
/** Other lines of business add theirs to `products`. */
export type ProductCode = string;

const byFoldedCode = new Map<string, (typeof products)[number]>(
  products.map((product) => [fold(product.code), product]),
);

/**
 * Finds a product for homes in any usual spelling; undefined if there is none.
 * @example
 * findProduct('Dwelling-Fire')?.code; // 'dwelling_fire'
 */
export function findProduct(text: string): (typeof products)[number] | undefined {
  return text.length <= 100 ? byFoldedCode.get(fold(text)) : undefined;
}

/**
 * Returns the product of a form type of homes.
 * @example
 * productOf('ho8').code; // 'homeowners'
 */
export function productOf(formType: FormType): (typeof products)[number] {
  return products.find((product) => (product.formTypes as readonly FormType[]).includes(formType))!;
}
