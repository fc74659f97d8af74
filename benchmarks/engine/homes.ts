import { createProperty, homeVocabulary, type Property } from '@leeward/engine';
import { countiesOf } from '@leeward/places/counties';
import { createRandom, pick, wholeNumber } from '../../test/support/random.ts';
import { policyTypes, states, words } from './carriers.ts';

/** A home as facts for every peer, ages included. */
export type Facts = Record<string, string | number>;

/** Fields that may be missing; type and state are always given. */
export const optionalFields = [
  'county',
  'dwelling_a',
  'year_built',
  'total_claims',
  'water_heater_age',
  'hvac_age',
  'roof_age',
  'roof_type',
  'lapse_in_coverage',
  'no_prior',
  'acreage',
  'protection_class',
  'ownership',
  'usage',
  'primary_plumbing',
  'primary_wiring',
  'structure_type',
  'foundation_type',
];

const EFFECTIVE_YEAR = 2026;
const counties = new Map(states.map((state) => [state, countiesOf(state).map((county) => county.fips)]));

/** Mostly ordinary homes: declining every home tests little. */
export function createHomes(seed: number, count: number): Facts[] {
  const random = createRandom(seed);
  const mostly = (name: string, usual: readonly string[], share: number) =>
    random() < share ? pick(random, usual) : pick(random, words[name]!);
  return Array.from({ length: count }, () => {
    const state = pick(random, states);
    const yearBuilt = random() < 0.8 ? wholeNumber(random, 1965, 2026) : wholeNumber(random, 1890, 2026);
    return {
      policy_type: pick(random, policyTypes),
      state,
      county: pick(random, counties.get(state)!),
      dwelling_a: wholeNumber(random, 18, 180) * 5_000,
      year_built: yearBuilt,
      home_age: EFFECTIVE_YEAR - yearBuilt,
      total_claims: random() < 0.7 ? 0 : wholeNumber(random, 1, 4),
      water_heater_age: wholeNumber(random, 0, 18),
      hvac_age: wholeNumber(random, 0, 20),
      roof_age: Math.min(EFFECTIVE_YEAR - yearBuilt, wholeNumber(random, 0, 25)),
      roof_type: mostly(
        'roof_type',
        ['architectural shingle', 'architectural shingle', '3-tab shingle', 'metal', 'tile'],
        0.92,
      ),
      lapse_in_coverage: random() < 0.9 ? 0 : wholeNumber(random, 1, 90),
      no_prior: random() < 0.85 ? 0 : wholeNumber(random, 1, 700),
      acreage: random() < 0.85 ? wholeNumber(random, 1, 8) / 8 : wholeNumber(random, 1, 20),
      protection_class: random() < 0.9 ? wholeNumber(random, 1, 6) : wholeNumber(random, 7, 10),
      ownership: mostly('ownership', ['personal', 'personal', 'trust'], 0.92),
      usage: mostly('usage', ['primary'], 0.85),
      primary_plumbing: mostly('primary_plumbing', ['copper', 'pex', 'cpvc', 'pvc'], 0.92),
      primary_wiring: mostly('primary_wiring', ['copper'], 0.92),
      structure_type: mostly('structure_type', ['single family', 'townhouse'], 0.92),
      foundation_type: mostly('foundation_type', ['closed'], 0.9),
    };
  });
}

export function withMissing(homes: readonly Facts[], share: number, seed: number): Facts[] {
  const random = createRandom(seed);
  return homes.map((home) => {
    const copy = { ...home };
    for (const field of optionalFields) {
      if (random() >= share) continue;
      delete copy[field];
      if (field === 'year_built') delete copy['home_age'];
    }
    return copy;
  });
}

/** A home of facts as we take it. */
export function toProperty(facts: Facts): Property {
  const { policy_type, state, county, home_age, roof_age, ...values } = facts;
  void home_age;
  return createProperty({
    vocabulary: homeVocabulary,
    policyType: policy_type as string | undefined,
    state: state as string,
    counties: county === undefined ? undefined : [county as string],
    values: { ...values, ...(roof_age === undefined ? {} : { roof_year: EFFECTIVE_YEAR - (roof_age as number) }) },
    asOfMs: Date.UTC(2026, 10, 20),
    effectiveDate: '2026-11-20',
  });
}
