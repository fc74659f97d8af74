import type { AmountLine, CarrierAnswer, CarrierRequest, CarrierTerm, ComparedTerm } from '../ports/carrier-adapter.ts';

/** Compares the terms of acceptance with a rate. */
export function compareTerms(
  terms: readonly CarrierTerm[],
  answer: CarrierAnswer,
  request: CarrierRequest,
): ComparedTerm[] {
  return terms.map((term) => {
    const value = answer.terms?.[term.name] ?? statedAmount(term.name, answer, request);
    if (value === undefined) return { ...term, result: 'not_stated' };
    return { ...term, result: satisfies(value, term) ? 'satisfied' : 'violated', value };
  });
}

function satisfies(value: number | string | boolean, { min, max, oneOf, applies }: CarrierTerm): boolean {
  if (min !== undefined && !(Number(value) >= min)) return false;
  if (max !== undefined && !(Number(value) <= max)) return false;
  if (oneOf !== undefined && !oneOf.includes(String(value))) return false;
  return applies === undefined || value === true;
}

/** Codes of coverages and deductibles by the name of a term without its unit. */
const codesOfTerms: Readonly<Record<string, readonly string[]>> = {
  coverage_a: ['dwelling'],
  coverage_b: ['other_structures'],
  coverage_c: ['personal_property', 'contents'],
  coverage_d: ['loss_of_use'],
  all_perils_deductible: ['all_perils', 'all_other_perils'],
};

/** Returns the amount of a coverage or deductible that a term names; percentages are of Coverage A. */
function statedAmount(
  name: string,
  { coverages = [], deductibles = [] }: CarrierAnswer,
  request: CarrierRequest,
): number | undefined {
  const isPercent = name.endsWith('_percent');
  const plain = name.replace(/_percent$/, '');
  const [lines, base] = plain.endsWith('_deductible')
    ? [deductibles, plain.replace(/_deductible$/, '')]
    : [coverages, plain.replace(/_limit$/, '')];
  const codes = [plain, base, ...(codesOfTerms[plain] ?? [])];
  const line = lines.find(({ code }) => codes.includes(code));
  if (line === undefined) return undefined;
  const dwelling = coverages.find(({ code }) => code === 'dwelling');
  const coverageA = (dwelling && dollarsOf(dwelling)) ?? Number(request.fields['dwelling_a']);
  const isOfDwelling = line.percent !== undefined && (line.percentOf ?? 'dwelling') === 'dwelling';
  const amount = dollarsOf(line) ?? (isOfDwelling ? (line.percent! * coverageA) / 100 : undefined);
  if (!isPercent) return amount;
  if (isOfDwelling) return line.percent;
  return amount !== undefined && coverageA > 0 ? Math.round((amount / coverageA) * 1e6) / 1e4 : undefined;
}

function dollarsOf({ amountCents }: AmountLine): number | undefined {
  return amountCents === undefined ? undefined : Number(amountCents) / 100;
}
