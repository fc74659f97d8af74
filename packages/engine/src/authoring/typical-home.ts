import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** An ordinary home, on the axes of the vocabulary: what a witness looks like where nothing else is asked. */
const ordinary: Readonly<Record<string, number | string>> = {
  dwelling_a: 350_000,
  year_built: 2005,
  total_claims: 0,
  water_heater_age: 5,
  hvac_age: 5,
  roof_year: 2018,
  roof_type: 'architectural shingle',
  lapse_in_coverage: 0,
  no_prior: 0,
  acreage: 0.25,
  protection_class: 3,
  ownership: 'personal',
  usage: 'primary',
  primary_plumbing: 'copper',
  primary_wiring: 'copper',
  structure_type: 'single family',
  foundation_type: 'closed',
  distance_to_tidal_water_meters: 80_467.2,
  distance_to_ocean_meters: 96_560.64,
  distance_to_mean_high_water_meters: 96_560.64,
};

/** What a field usually is; for a field that is not known here, the first or least of its domain. */
export function typicalValue(vocabulary: Vocabulary, field: string, effectiveYear: number): number | string {
  const domain = vocabulary.fields.find((each) => each.name === field)!.domain({ effectiveYear });
  const usual = Object.hasOwn(ordinary, field) ? ordinary[field]! : undefined;
  if (domain.kind === 'words') {
    return typeof usual === 'string' && domain.words.includes(usual) ? usual : domain.words[0]!;
  }
  return Math.min(domain.max, Math.max(domain.min, typeof usual === 'number' ? usual : domain.min));
}
