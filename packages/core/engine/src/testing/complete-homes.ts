import { countiesOf, states } from '@leeward/places/counties';
import { pick, wholeNumber } from '../../../../../test/support/random.ts';
import { parseRequest } from '../request/parse-request.ts';
import type { Property } from '../request/property.ts';
import { homeVocabulary } from '../vocabulary/home.ts';

type Random = () => number;

/** Ranges around the usual limits of rules. */
const usual: Readonly<Record<string, readonly [min: number, max: number]>> = {
  dwelling_a: [50_000, 3_000_000],
  year_built: [1880, 2027],
  total_claims: [0, 5],
  water_heater_age: [0, 30],
  hvac_age: [0, 30],
  roof_age: [0, 60],
  lapse_in_coverage: [0, 90],
  no_prior: [0, 90],
  protection_class: [1, 10],
};

/** The body of a complete request; nine times in ten in one of the places. */
export function completeHome(
  random: Random,
  places: readonly (readonly [state: string, county: string])[] = [],
): Record<string, unknown> {
  const [state, county] = places.length > 0 && random() < 0.9 ? pick(random, places) : anywhere(random);
  const body: Record<string, unknown> = { state, county, policy_type: pick(random, homeVocabulary.policyTypes) };
  for (const field of homeVocabulary.fields.filter((each) => !each.isOnDemand)) {
    const domain = field.domain({ effectiveYear: 2026 });
    const range = usual[field.requestName];
    if (domain.kind === 'words') body[field.requestName] = pick(random, domain.words);
    else if (range) {
      const value = wholeNumber(random, range[0], range[1]);
      // Limits are round numbers: most homes are at a limit, or one off.
      const isNearLimit = field.name === 'dwelling_a' && random() < 0.7;
      body[field.requestName] = isNearLimit ? Math.round(value / 25_000) * 25_000 + wholeNumber(random, -1, 1) : value;
    }
  }
  body['acreage'] = pick(random, [0, 0.25, 0.99, 1, 1.01, 2, 4.99, 5, 5.01, 10, 25, 40]);
  const miles = pick(random, [0, 0.1, 0.3787879, 0.4734848, 0.5, 1, 1.0001, 2, 2.5, 5, 10, 15, 25, 30, 100]);
  body['distance_to_coast_miles'] = miles;
  body['distance_to_ocean_miles'] = miles + pick(random, [0, 0.0001, 1, 5]);
  body['distance_to_mean_high_water_miles'] = body['distance_to_ocean_miles'];
  return body;
}

function anywhere(random: Random): readonly [string, string] {
  const state = pick(random, states).code;
  return [state, pick(random, countiesOf(state)).name];
}

export function propertyOf(body: Record<string, unknown>): Property {
  const parsed = parseRequest(body, { now: new Date('2026-11-20T12:00:00Z') });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}
