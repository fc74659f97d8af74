import { createProperty, homeVocabulary, type Knowledge, type Property } from '@leeward/engine';
import { countiesOf } from '@leeward/places/counties';
import { pick, wholeNumber } from '../random.ts';

const states = ['fl', 'tx', 'la', 'ms', 'al', 'ga', 'sc', 'nc', 'va', 'ny', 'nj', 'ma', 'ca', 'pr'];
const likely: Readonly<Record<string, readonly string[]>> = {
  structure_type: ['single family', 'townhouse'],
  usage: ['primary', 'primary', 'secondary', 'rental'],
  ownership: ['personal', 'personal', 'trust', 'llc'],
  foundation_type: ['closed'],
};

/**
 * Returns a random home that some carriers decline for facts a person can change and some for facts that cannot change.
 * Each field is missing with the probability `missing`.
 */
export function declinableHome(random: () => number, missing = 0): Property {
  const state = pick(random, states);
  const built = wholeNumber(random, 1900, 2026);
  const isUsual = random() < 0.8;
  const number: Readonly<Record<string, () => number>> = {
    dwelling_a: () => wholeNumber(random, 10, 300) * 5000,
    year_built: () => built,
    total_claims: () => wholeNumber(random, 0, isUsual ? 1 : 5),
    water_heater_age: () => wholeNumber(random, 0, 25),
    hvac_age: () => wholeNumber(random, 0, 30),
    roof_year: () => wholeNumber(random, Math.max(built, 1985), 2026),
    lapse_in_coverage: () => (isUsual ? 0 : wholeNumber(random, 0, 120)),
    no_prior: () => (isUsual ? 0 : wholeNumber(random, 0, 900)),
    acreage: () => wholeNumber(random, 1, isUsual ? 12 : 80) / 4,
    protection_class: () => wholeNumber(random, 1, isUsual ? 8 : 10),
    distance_to_tidal_water_meters: () => wholeNumber(random, 0, 80_000),
    distance_to_ocean_meters: () => wholeNumber(random, 80_000, 100_000),
  };
  const values: Record<string, Knowledge> = {};
  for (const field of homeVocabulary.fields.filter((each) => !each.isOnDemand)) {
    // About as far as the ocean, without a random draw, so that a seed keeps its homes.
    if (field.name === 'distance_to_mean_high_water_meters') {
      values[field.name] = 90_000;
      continue;
    }
    if (random() < missing) continue;
    const domain = field.domain({ effectiveYear: 2026 });
    if (domain.kind === 'numbers') values[field.name] = number[field.name]!();
    else values[field.name] = pick(random, isUsual ? (likely[field.name] ?? domain.words) : domain.words);
  }
  return createProperty({
    vocabulary: homeVocabulary,
    policyType: pick(random, homeVocabulary.policyTypes),
    state,
    counties: random() < missing ? undefined : [pick(random, countiesOf(state)).fips],
    values,
    asOfMs: Date.UTC(2026, 10, 20),
    effectiveDate: '2026-11-20',
  });
}
