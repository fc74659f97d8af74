import { formTypeSpellings, formTypes } from '@leeward/terms';
import { choiceField } from './choice-field.ts';
import type { DerivedFact, Field, FieldOf, Usual } from './field.ts';
import { decimalField, integerField } from './number-field.ts';
import type { Vocabulary } from './vocabulary.ts';
import { ageOrYearField, yearField } from './year-field.ts';

/** International mile and foot in metres, exact by definition (1959 yard and pound agreement). */
const METERS_PER = { miles: 1609.344, feet: 0.3048 } as const;
/** Half the girth of the Earth: nothing is farther from a shore. */
const FARTHEST_METERS = 20_040_000;

/** Where limits on a distance to the shore usually lie: a house lot to a day's drive. */
const usualDistanceMeters = { min: 15, max: 250_000 } as const;

const never = { kind: 'never' } as const;
const any = { kind: 'any' } as const;
const lower = { kind: 'lower' } as const;

const fields = [
  integerField('dwelling_a', {
    label: 'dwelling coverage A',
    unit: 'dollars',
    min: 1,
    max: 100_000_000,
    usual: { min: 10_000, max: 25_000_000 },
    change: any,
    description: 'Dwelling coverage A in whole dollars, without commas.',
    example: 285000,
  }),
  yearField('year_built', {
    label: 'year built',
    change: never,
    description: 'Year the home was built, four digits or two.',
  }),
  integerField('total_claims', {
    label: 'claims in five years',
    unit: 'claims',
    min: 0,
    max: 99,
    usual: { min: 1, max: 15 },
    change: never,
    description: 'Total claims in the last five years.',
    example: 1,
  }),
  integerField('water_heater_age', {
    label: 'age of the water heater',
    unit: 'years',
    min: 0,
    max: 100,
    usual: { min: 1, max: 40 },
    change: lower,
    description: 'Age of the water heater in years.',
    example: 8,
  }),
  integerField('hvac_age', {
    label: 'age of heating and cooling',
    unit: 'years',
    min: 0,
    max: 100,
    usual: { min: 1, max: 40 },
    change: lower,
    description: 'Age of the HVAC system in years.',
    example: 9,
  }),
  ageOrYearField('roof_year', 'roof_age', {
    label: 'year of the roof',
    change: { kind: 'higher' },
    description: 'Age of the roof in years, or the four-digit year it was laid. Together with roof_type.',
  }),
  choiceField('roof_type', {
    label: 'roof type',
    words: [
      'architectural shingle',
      '3-tab shingle',
      'slate',
      'metal',
      'tile',
      'flat',
      'wood shake',
      'built up',
      'membrane',
      'other',
    ],
    change: any,
    description: 'Covering of the roof. Together with roof_age.',
  }),
  integerField('lapse_in_coverage', {
    label: 'days since coverage lapsed',
    unit: 'days',
    min: 0,
    max: 36_500,
    usual: { min: 1, max: 1_825 },
    change: never,
    description: 'Days since coverage lapsed.',
    example: 0,
  }),
  integerField('no_prior', {
    label: 'days since prior insurance',
    unit: 'days',
    min: 0,
    max: 36_500,
    usual: { min: 1, max: 3_650 },
    change: never,
    description: 'Days since prior insurance.',
    example: 0,
  }),
  decimalField('acreage', {
    label: 'acreage',
    unit: 'acres',
    min: 0,
    max: 100_000,
    usual: { min: 0.05, max: 1_000 },
    change: never,
    description: 'Acreage of the property; fractions accepted.',
    example: 0.25,
  }),
  integerField('protection_class', {
    label: 'protection class',
    min: 1,
    max: 10,
    change: never,
    description: 'Public protection class, 1 (best) to 10.',
    example: 3,
  }),
  choiceField('ownership', {
    label: 'ownership',
    words: ['personal', 'trust', 'llc', 'estate', 'other'],
    change: any,
    description: 'Who holds the title.',
  }),
  choiceField('usage', {
    label: 'usage',
    words: ['primary', 'secondary', 'seasonal', 'rental', 'vacant', 'other'],
    change: any,
    description: 'How the home is used.',
  }),
  choiceField('primary_plumbing', {
    label: 'primary plumbing',
    words: ['polybutylene', 'lead', 'cast iron', 'pex', 'galvanized', 'copper', 'cpvc', 'pvc', 'other'],
    change: { kind: 'words', words: ['pex', 'copper', 'cpvc', 'pvc'] },
    description: 'Material of most of the supply pipes.',
  }),
  choiceField('primary_wiring', {
    label: 'primary wiring',
    words: [
      'aluminum multi strand',
      'aluminum with alumiconn',
      'aluminum single',
      'aluminum with copalum',
      'cloth',
      'copper',
      'knob and tube',
      'other',
    ],
    change: { kind: 'words', words: ['copper', 'aluminum with alumiconn', 'aluminum with copalum'] },
    description: 'Kind of most of the branch wiring.',
  }),
  choiceField('structure_type', {
    label: 'structure type',
    words: [
      'single family',
      'townhouse',
      'duplex',
      'triplex',
      'fourplex',
      'mobile home',
      'manufactured',
      'log cabin',
      'modular',
      'condo',
      'rowhouse',
      'other',
    ],
    change: never,
    description: 'Kind of building.',
  }),
  choiceField('foundation_type', {
    label: 'foundation type',
    words: ['open', 'closed', 'other'],
    change: never,
    description: 'Open (piers, stilts) or closed foundation.',
  }),
  distanceField('distance_to_tidal_water_meters', 'distance to tidal water'),
  distanceField('distance_to_ocean_meters', 'distance to the open ocean'),
  distanceField('distance_to_mean_high_water_meters', 'distance to coastal mean high water'),
] as const satisfies readonly Field[];

/** A distance is looked up from where the home stands, so what is asked for is its address. */
function distanceField<const Name extends string>(name: Name, label: string): FieldOf<Name, number, 'address'> {
  return {
    name,
    requestName: 'address',
    label,
    unit: 'meters',
    change: never,
    domain: () => ({ kind: 'numbers', min: 0, max: FARTHEST_METERS, integer: false }),
    usual: usualDistanceMeters,
  };
}

/**
 * Distances are kept in tenths of a millimetre, so that the same limit written in miles or in feet is
 * the same number of metres.
 */
export function toMeters(value: number, unit: keyof typeof METERS_PER): number {
  return roundTo(value * METERS_PER[unit], 1e4);
}

/**
 * The plainest number of the unit that is the same number of metres: a home given as 2.5 miles from the
 * shore meets a limit of 2.5 miles exactly, in whichever unit either is compared.
 */
export function fromMeters(meters: number, unit: keyof typeof METERS_PER): number {
  const exact = meters / METERS_PER[unit];
  const kept = roundTo(meters, 1e4);
  for (let parts = 1; parts <= 1e7; parts *= 10) {
    const plain = roundTo(exact, parts);
    if (toMeters(plain, unit) === kept) return plain;
  }
  return exact;
}

function roundTo(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

function distanceFact<const Name extends string>(
  name: Name,
  field: string,
  label: string,
  unit: keyof typeof METERS_PER,
): DerivedFact & { readonly name: Name } {
  return {
    name,
    field,
    label,
    unit,
    view: (meters) => fromMeters(meters, unit),
    cuts: (constant) => [toMeters(constant, unit)],
    toField: (constant) => toMeters(constant, unit),
    range: { min: 0, max: FARTHEST_METERS / METERS_PER[unit], integer: false },
    usual: { min: usualDistanceMeters.min / METERS_PER[unit], max: usualDistanceMeters.max / METERS_PER[unit] },
  };
}

/** Ages are `max(0, year of the effective date − year)`. */
function ageFact<const Name extends string>(
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

const home = {
  line: 'home',
  policyTypes: formTypes,
  policyTypeSpellings: formTypeSpellings,
  fields,
  derivedFacts: [
    ageFact('roof_age', 'roof_year', 'age of the roof', { min: 1, max: 75 }),
    ageFact('home_age', 'year_built', 'age of the home', { min: 1, max: 200 }),
    ...(['miles', 'feet'] as const).flatMap((unit) => [
      distanceFact(
        `distance_to_tidal_water_${unit}`,
        'distance_to_tidal_water_meters',
        'distance to tidal water',
        unit,
      ),
      distanceFact(`distance_to_coast_${unit}`, 'distance_to_tidal_water_meters', 'distance to the coast', unit),
      distanceFact(`distance_to_ocean_${unit}`, 'distance_to_ocean_meters', 'distance to the open ocean', unit),
      distanceFact(
        `distance_to_mean_high_water_${unit}`,
        'distance_to_mean_high_water_meters',
        'distance to coastal mean high water',
        unit,
      ),
    ]),
  ],
  relations: [
    { lower: 'year_built', higher: 'roof_year' },
    { lower: 'distance_to_tidal_water_meters', higher: 'distance_to_ocean_meters' },
  ],
  givenTogether: [['roof_age', 'roof_type']],
  codes: [
    'acreage',
    'claims',
    'coverage_a',
    'distance_to_coast',
    'foundation',
    'four_point_inspection',
    'home_age',
    'hvac_age',
    'lapse',
    'moratorium',
    'no_prior_insurance',
    'ownership',
    'plumbing',
    'policy_type',
    'protection_class',
    'roof_age',
    'roof_inspection',
    'roof_type',
    'structure_type',
    'territory',
    'usage',
    'water_heater_age',
    'wiring',
    'wind_mitigation',
    'prior_carrier',
    'flood_policy',
    'underwriter_review',
    'photos',
    'proof_of_updates',
  ],
} as const satisfies Vocabulary;

/** Homes, as TypeScript knows them. */
export type HomeVocabulary = typeof home;

/** The first line of business: homes. */
export const homeVocabulary: Vocabulary = home;
