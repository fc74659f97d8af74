import { createProperty, homeVocabulary, type Property } from '@leeward/engine';
import { countiesOf } from '@leeward/places/counties';
import { pick, wholeNumber } from '../random.ts';

const places = ['fl', 'tx', 'la', 'ms', 'al', 'ga', 'sc', 'nc', 'va', 'ny', 'nj', 'ma', 'ca', 'pr', 'vi'];
const usual: Readonly<Record<string, (random: () => number) => number>> = {
  dwelling_a: (random) => wholeNumber(random, 10, 240) * 5000,
  total_claims: (random) => wholeNumber(random, 0, 5),
  water_heater_age: (random) => wholeNumber(random, 0, 25),
  hvac_age: (random) => wholeNumber(random, 0, 30),
  lapse_in_coverage: (random) => (random() < 0.7 ? 0 : wholeNumber(random, 1, 120)),
  no_prior: (random) => (random() < 0.7 ? 0 : wholeNumber(random, 1, 900)),
  acreage: (random) => wholeNumber(random, 1, 80) / 4,
  protection_class: (random) => wholeNumber(random, 1, 10),
};

/** A random home of the usual sizes, each optional field missing with a probability of `missing`. */
export function randomPolicy(random: () => number, missing: number): Property {
  const state = pick(random, places);
  const yearBuilt = wholeNumber(random, 1890, 2026);
  const values: Record<string, number | string> = {};
  for (const field of homeVocabulary.fields.filter((each) => !each.isOnDemand)) {
    // Left out here, without a random draw, so that a seed keeps its homes.
    if (field.name === 'distance_to_mean_high_water_meters') continue;
    if (random() < missing || !field.schema) continue;
    const domain = field.domain({ effectiveYear: 2026 });
    if (domain.kind === 'words') values[field.name] = pick(random, domain.words);
    else if (field.name === 'year_built') values[field.name] = yearBuilt;
    else if (field.name === 'roof_year') values[field.name] = wholeNumber(random, Math.max(yearBuilt, 1985), 2026);
    else values[field.name] = usual[field.name]!(random);
  }
  const counties = countiesOf(state);
  return createProperty({
    vocabulary: homeVocabulary,
    policyType: pick(random, homeVocabulary.policyTypes),
    state,
    counties: random() < missing ? undefined : [pick(random, counties).fips],
    values,
    asOfMs: Date.UTC(2026, 8, 26),
    effectiveDate: '2026-11-20',
  });
}
