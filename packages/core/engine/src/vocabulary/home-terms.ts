import type { OfferTerm } from './offer-term.ts';

const percent = { kind: 'number', unit: 'percent', min: 0, max: 100 } as const;
const dollars = { kind: 'number', unit: 'dollars', min: 0, max: 100_000_000 } as const;
const settlements = ['replacement cost', 'actual cash value'] as const;

/** Terms of offers for homes. Percentages of deductibles and coverages are of Coverage A. */
export const homeTerms = [
  { name: 'all_perils_deductible', label: 'all perils deductible', ...dollars },
  { name: 'all_perils_deductible_percent', label: 'all perils deductible', ...percent },
  { name: 'wind_hail_deductible', label: 'wind and hail deductible', ...dollars },
  { name: 'wind_hail_deductible_percent', label: 'wind and hail deductible', ...percent },
  { name: 'hurricane_deductible_percent', label: 'hurricane deductible', ...percent },
  { name: 'named_storm_deductible_percent', label: 'named storm deductible', ...percent },
  { name: 'water_damage_deductible', label: 'water damage deductible', ...dollars },
  { name: 'theft_deductible', label: 'theft deductible', ...dollars },
  {
    name: 'dwelling_settlement',
    label: 'dwelling settlement',
    kind: 'word',
    words: [...settlements, 'functional replacement cost'],
  },
  { name: 'roof_settlement', label: 'roof settlement', kind: 'word', words: [...settlements, 'payment schedule'] },
  { name: 'contents_settlement', label: 'contents settlement', kind: 'word', words: settlements },
  { name: 'coverage_a', label: 'Coverage A', ...dollars },
  { name: 'coverage_b_percent', label: 'Coverage B', ...percent },
  { name: 'coverage_c_percent', label: 'Coverage C', ...percent },
  { name: 'coverage_d_percent', label: 'Coverage D', ...percent },
  { name: 'replacement_cost_percent', label: 'insurance to replacement cost', ...percent, max: 200 },
  { name: 'liability_limit', label: 'liability limit', ...dollars },
  { name: 'medical_payments_limit', label: 'medical payments limit', ...dollars },
  { name: 'animal_liability_limit', label: 'animal liability limit', ...dollars },
  { name: 'water_damage_limit', label: 'water damage limit', ...dollars },
  { name: 'mold_limit', label: 'mold limit', ...dollars },
  { name: 'surcharge_percent', label: 'surcharge', ...percent, max: 1000 },
  { name: 'policy_months', label: 'policy term', kind: 'number', unit: 'months', min: 1, max: 60 },
  { name: 'wind_excluded', label: 'wind excluded', kind: 'flag' },
  { name: 'water_damage_excluded', label: 'water damage excluded', kind: 'flag' },
  { name: 'mold_excluded', label: 'mold excluded', kind: 'flag' },
  { name: 'animal_liability_excluded', label: 'animal liability excluded', kind: 'flag' },
  { name: 'cosmetic_damage_excluded', label: 'cosmetic damage excluded', kind: 'flag' },
  { name: 'roof_excluded', label: 'roof excluded', kind: 'flag' },
  { name: 'water_backup_endorsement', label: 'water backup endorsement', kind: 'flag' },
  { name: 'premises_liability_endorsement', label: 'premises liability endorsement', kind: 'flag' },
  { name: 'full_payment', label: 'full payment in advance', kind: 'flag' },
] as const satisfies readonly OfferTerm[];
