import { createProperty, type Property, type Vocabulary, type Warning } from '@leeward/engine';
import { GeocoderUnavailableError } from '@leeward/places';
import { type HazardSource, type Hazards, hazardFactNames, hazardFacts } from '@leeward/places/hazards';
import type { FoundPlace } from '../distance/found-place.ts';

/** What was learnt of the hazards of a place, and of it what is judged by. */
export interface KnownHazards {
  readonly source: string;
  readonly hazards: Hazards;
  /** By field, those that the line has and nobody gave. */
  readonly facts: Readonly<Record<string, ReturnType<typeof hazardFacts>[string]>>;
}

/** Whether a line asks for anything that a hazard source knows. */
export function asksForHazards({ fields }: Vocabulary): boolean {
  return fields.some(({ name }) => hazardFactNames.includes(name));
}

/** The property with the hazards of its place, where nobody gave them. What cannot be learnt stays unknown, with a warning. */
export async function lookUpHazards(
  property: Property,
  place: FoundPlace,
  source: HazardSource,
  {
    path,
    warnings,
    signal,
  }: { readonly path: string; readonly warnings: Warning[]; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly property: Property; readonly known?: KnownHazards }> {
  const { vocabulary } = property;
  const given = property.given ?? property.values;
  const values = Object.fromEntries(vocabulary.fields.map(({ name }, index) => [name, given[index]]));
  let hazards: Hazards;
  try {
    const { latitude, longitude, errorRadiusMeters } = place;
    hazards = await source.hazards({ latitude, longitude, errorRadiusMeters }, { signal });
  } catch (error) {
    if (!(error instanceof GeocoderUnavailableError)) throw error;
    const message = `${source.name} is out of reach at the moment; hazards that were not given stay unknown.`;
    warnings.push({ code: 'hazards_not_looked_up', path, message });
    return { property };
  }
  const found = Object.entries(hazardFacts(hazards));
  const facts = Object.fromEntries(found.filter(([name]) => Object.hasOwn(values, name) && values[name] === undefined));
  const { policyType, state, counties, asOfMs, effectiveDate } = property;
  const known = { source: source.name, hazards, facts };
  const asked = { vocabulary, policyType, state, counties, asOfMs, effectiveDate };
  return { property: createProperty({ ...asked, values: { ...values, ...facts } }), known };
}
