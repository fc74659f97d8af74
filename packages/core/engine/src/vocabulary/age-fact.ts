import type { DerivedFact, Usual } from './field.ts';

/**
 * A derived fact: an age in whole years, `max(0, year of the effective date − year)`.
 *
 * @param field name of the field with the year
 * @param usual ages that rules usually test; the analysis reports limits outside them
 * @example ageFact('boiler_age', 'boiler_year', 'age of the boiler', { min: 1, max: 40 })
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
