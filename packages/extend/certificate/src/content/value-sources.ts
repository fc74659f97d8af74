import type { Vocabulary } from '@leeward/engine';
import { distanceNames } from '@leeward/engine/compiled';
import { labelOf, writeValue } from '@leeward/engine/vocabulary';
import type { WireDecision } from '@leeward/http';
import { wordOf, writeDataset, writeLength, writeRange } from '@leeward/terms';
import type { CertificateSource } from './certificate-schema.ts';

type WireDistance = NonNullable<WireDecision['distances']>['facts'][number];
type Known = CertificateSource;

/** The origins of the values of a decision. */
export interface SourcesOfValues {
  /** @param fact the name in the rule @param isMissing true if nothing is known of the value */
  of(fact: string, field: string, options: { readonly isMissing: boolean; readonly isInferred: boolean }): Known;
  ofDistance(distance: WireDistance): Known;
  ofField(field: string): Known;
}

/** @param hostFacts names of facts that the host computes */
export function sourcesOfValues(decision: WireDecision, hostFacts: ReadonlySet<string>): SourcesOfValues {
  const { home, distances, hazards, warnings } = decision;
  const isCountyOfZip = warnings.some(({ code }) => code === 'county_from_zip');
  const sources: SourcesOfValues = {
    of(fact, field, { isMissing, isInferred }) {
      const distance = distances?.facts.find((each) => each.fact === distanceFactOf(fact));
      if (distance) return sources.ofDistance(distance);
      if (isMissing) return { kind: 'missing', text: 'not given' };
      if (hostFacts.has(fact)) return { kind: 'host', text: 'computed by the service' };
      if (isInferred) return { kind: 'inferred', text: 'follows from other fields' };
      return sources.ofField(field);
    },
    ofDistance({ dataset, evidence }) {
      if (dataset === null) return sourceInRequest(evidence);
      const place = distances?.location;
      const by = place
        ? ` from ${wordOf('precision', place.precision)}${place.error_radius_meters > 0 ? ` ± ${writeLength(place.error_radius_meters)}` : ''}`
        : '';
      return { kind: 'coastline', text: `${writeDataset(dataset)},${by || ' measured'}` };
    },
    ofField(field) {
      const [name = field] = field.split(/[./[]/);
      if (hazards && Object.hasOwn(hazards.facts, name)) {
        const date = hazards.map_panel_date;
        const text = wordOf('dataset', hazards.source);
        return {
          kind: 'hazard_source',
          text: date === null ? text : `${text}, ${date}`,
          ...(date ? { as_of: date } : {}),
        };
      }
      if (name === 'county' && isCountyOfZip) return { kind: 'zip_code', text: 'the ZIP code of the address' };
      if (Object.hasOwn(home, name)) return sourceInRequest(evidenceOf(home[name]));
      return { kind: 'computed', text: 'computed from date, place or events' };
    },
  };
  return sources;
}

function sourceInRequest(evidence: Evidence | undefined): Known {
  if (evidence === undefined || (evidence.source === undefined && evidence.as_of === undefined))
    return { kind: 'given', text: 'the request' };
  const { source, as_of } = evidence;
  const parts = [...(source === undefined ? [] : [wordOf('evidenceSource', source)]), ...(as_of ? [as_of] : [])];
  return { kind: 'given', text: `the request (${parts.join(', ')})`, ...(as_of ? { as_of } : {}) };
}

interface Evidence {
  readonly as_of?: string | undefined;
  readonly source?: string | undefined;
}

/** A value of a request can have its date and origin. */
interface ValueWithEvidence extends Evidence {
  readonly value: unknown;
}

function hasEvidence(value: unknown): value is ValueWithEvidence {
  return typeof value === 'object' && value !== null && 'value' in value;
}

function evidenceOf(value: unknown): Evidence | undefined {
  return hasEvidence(value) ? value : undefined;
}

/** The fact of a distance by any of its names: `distance_to_coast_miles` → `distance_to_tidal_water_meters`. */
function distanceFactOf(name: string): string | undefined {
  return distanceNames.find(([each]) => each === name)?.[1] ?? (name.startsWith('distance_to_') ? name : undefined);
}

/** Longer lists are counted, not written. */
const MAX_LISTED = 6;

/** A value of a test or request in words, with its unit. */
export function valueText(name: string, value: unknown, vocabulary: Vocabulary, unit?: string): string {
  if (hasEvidence(value)) return valueText(name, value.value, vocabulary, unit);
  if (Array.isArray(value) && value.length > MAX_LISTED) return `${value.length} values`;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { min, max, one_of } = value as { min?: unknown; max?: unknown; one_of?: readonly unknown[] };
    if (typeof min === 'number' && typeof max === 'number')
      return writeRange(min, max, unit, { decimals: unit === 'miles' ? 2 : 0, label: labelOf(name, vocabulary) });
    if (one_of) return writeValue(name, one_of, vocabulary);
  }
  return writeValue(name, value, vocabulary);
}
