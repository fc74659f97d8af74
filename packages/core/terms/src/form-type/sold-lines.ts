import { type Checked, quoteValue } from '../fault/fault.ts';
import { fold } from '../spelling/fold.ts';
import { didYouMean } from '../spelling/suggest.ts';
import { type FormType, formTypeSpellings, formTypes } from './form-types.ts';
import { type Product, products } from './products.ts';

/** Form types and products of one line of business. */
export interface SoldLine {
  readonly line: string;
  readonly formTypes: readonly FormType[];
  /** Folded (see `fold`). */
  readonly spellings: Readonly<Record<string, FormType>>;
  readonly products: readonly Product[];
}

/** The home line. */
export const homeSales: SoldLine = { line: 'home', formTypes, spellings: formTypeSpellings, products };

/** Several lines; each form type and product belongs to one. */
export interface SoldLines<Line extends SoldLine = SoldLine> {
  readonly lines: readonly Line[];
  readonly formTypes: readonly FormType[];
  readonly products: readonly Product[];
  /** In any usual spelling; of two lines the first has precedence. */
  checkFormType(value: unknown): Checked<FormType>;
  findProduct(text: string): Product | undefined;
  lineOf(formType: FormType): Line | undefined;
}

/**
 * Combines lines of business. @throws TypeError if two lines share a form type or a product code.
 * @example
 * soldLines([homeSales]).checkFormType('HO-3'); // { value: 'ho3' }
 */
export function soldLines<Line extends SoldLine>(lines: readonly Line[]): SoldLines<Line> {
  const bySpelling = new Map<string, FormType>();
  const byFormType = new Map<FormType, Line>();
  const byCode = new Map<string, Product>();
  for (const line of lines) {
    for (const formType of line.formTypes) {
      const other = byFormType.get(formType);
      if (other) throw new TypeError(`The lines "${other.line}" and "${line.line}" both sell ${quoteValue(formType)}.`);
      byFormType.set(formType, line);
    }
    for (const product of line.products) {
      const code = fold(product.code);
      if (byCode.has(code)) throw new TypeError(`There are two products ${quoteValue(product.code)}.`);
      byCode.set(code, product);
    }
  }
  // Canonical names take precedence.
  for (const formType of byFormType.keys()) bySpelling.set(fold(formType), formType);
  for (const { spellings } of lines) {
    for (const [spelling, formType] of Object.entries(spellings)) {
      if (!bySpelling.has(spelling)) bySpelling.set(spelling, formType);
    }
  }
  const all = [...byFormType.keys()];
  return {
    lines,
    formTypes: all,
    products: [...byCode.values()],
    checkFormType(value) {
      const isText = typeof value === 'string';
      const formType = isText && value.length <= 100 ? bySpelling.get(fold(value)) : undefined;
      if (formType !== undefined) return { value: formType };
      const hint = isText ? didYouMean(value, all) : '';
      const message = `${quoteValue(value)} is not a policy type; use one of: ${all.join(', ')}.${hint}`;
      return { code: isText ? 'unknown_policy_type' : 'invalid_type', message };
    },
    findProduct: (text) => (text.length <= 100 ? byCode.get(fold(text)) : undefined),
    lineOf: (formType) => byFormType.get(formType),
  };
}
