import { createProperty, type Property, type Vocabulary, type Warning } from '@leeward/engine';
import { GeocoderUnavailableError } from '@leeward/places';
import { type HazardSource, type Hazards, hazardFactNames, hazardFacts } from '@leeward/places/hazards';
import type { FoundPlace } from '../distance/found-place.ts';

/** The hazards of a place, and the facts that the decision uses. */
export interface KnownHazards {
  readonly source: string;
  readonly hazards: Hazards;
  /** Only fields that the request omits. */
  readonly facts: Readonly<Record<string, ReturnType<typeof hazardFacts>[string]>>;
}

/** True if a line has a field that hazard sources provide. Fields on demand are not looked up. */
export function asksForHazards({ fields }: Vocabulary): boolean {
  return fields.some(({ name, isOnDemand }) => isOnDemand !== true && hazardFactNames.includes(name));
}

/** If the source is unavailable, omitted hazards stay unknown, with a warning. */
export async function lookUpHazards(
  property: Property,
  place: FoundPlace,
  source: HazardSource,
  {
    path,
    warnings,
    signal,
  }: { readonly path: string; readonly warnings: Warning[]; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly property: Property; readonly knownHazards?: KnownHazards }> {
  const { vocabulary } = property;
  const requestValues = property.givenValues ?? property.values;
  const values = Object.fromEntries(vocabulary.fields.map(({ name }, index) => [name, requestValues[index]]));
  let hazards: Hazards;
  try {
    const { latitude, longitude, errorRadiusMeters } = place;
    hazards = await source.hazards({ latitude, longitude, errorRadiusMeters }, { signal });
  } catch (error) {
    if (!(error instanceof GeocoderUnavailableError)) throw error;
    const message = `${source.name} is unavailable at the moment; hazards that the request omits stay unknown.`;
    warnings.push({ code: 'hazards_not_looked_up', path, message });
    return { property };
  }
  const entries = Object.entries(hazardFacts(hazards));
  const facts = Object.fromEntries(
    entries.filter(([name]) => Object.hasOwn(values, name) && values[name] === undefined),
  );
  const { policyType, state, counties, lists, evidence, asOfMs, effectiveDate, location } = property;
  const knownHazards = { source: source.name, hazards, facts };
  const rest = { vocabulary, policyType, state, counties, lists, evidence, asOfMs, effectiveDate, location };
  return { property: createProperty({ ...rest, values: { ...values, ...facts } }), knownHazards };
}
