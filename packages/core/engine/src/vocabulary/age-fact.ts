import type { DerivedFact, Usual } from './field.ts';

/**
 * The age of something in whole years, read from the field that holds its year: `max(0, year of the effective date −
 * year)`.
 *
 * @param usual ages that people expect a rule to ask for; the analysis asks about limits outside them.
 */
export function ageFact<const Name extends string>(
  name: Name,
  field: string,
  label: string,
  usual: Usual,
): DerivedFact & { readonly name: Name } {
  return {
    name,
    field,
    label,
    unit: 'years',
    view: (year, { effectiveYear }) => Math.max(0, effectiveYear - year),
    cuts: (constant, { effectiveYear }) => [effectiveYear - constant, effectiveYear],
    range: { min: 0, max: 500, integer: true },
    usual,
  };
}
