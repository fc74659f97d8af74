import {
  createProperty,
  type Knowledge,
  type Property,
  type PropertyLocation,
  parseRequest,
  type Vocabulary,
} from '@leeward/engine';
import { isWithin, layoutOf, writeFields } from '@leeward/engine/compiled';
import { parseHazardEvents } from '@leeward/engine/events';
import { countyByFips } from '@leeward/places/counties';
import type { DecisionRecord } from './decision-record.ts';
import { ReplayError } from './replay-error.ts';

type RecordedHome = Pick<
  DecisionRecord,
  | 'as_of'
  | 'effective_date'
  | 'home'
  | 'counties'
  | 'known'
  | 'known_at'
  | 'evidence'
  | 'located'
  | 'location'
  | 'events'
>;

/** Records the values of a property, without derived ones. */
export function recordHome(property: Property): RecordedHome {
  const { vocabulary, policyType, state, counties, asOfMs, effectiveDate } = property;
  const home: Record<string, unknown> = { state };
  if (policyType !== undefined) home['policy_type'] = policyType;
  if (counties?.length === 1) home['county'] = countyByFips(counties[0]!)?.name ?? counties[0];
  const knowledge: DecisionRecord['known'] = {};
  const values = property.givenValues ?? property.values;
  const isPlain = (name: string) =>
    vocabulary.fields.some(({ requestName }, index) => {
      const value = values[index];
      return requestName === name && (typeof value === 'number' || typeof value === 'string');
    });
  // A request must have some fields together; a host may know only one of them.
  const apart = new Set<string>(vocabulary.givenTogether.filter((pair) => !pair.every(isPlain)).flat());
  const { positions: places } = layoutOf(vocabulary);
  const plainTogether = (name: string) => {
    const place = places.get(name)!;
    const value = values[place];
    return isWithin(value) || apart.has(vocabulary.fields[place]!.requestName) ? undefined : value;
  };
  Object.assign(home, property.lists);
  const requestFields = writeFields(vocabulary, plainTogether, property, home);
  vocabulary.fields.forEach(({ name }, index) => {
    const value = values[index];
    if (value === undefined || requestFields.has(name)) return;
    if (!isWithin(value)) knowledge[name] = value;
    else knowledge[name] = value.kind === 'between' ? { min: value.min, max: value.max } : { one_of: [...value.words] };
  });
  return {
    as_of: textOf(asOfMs),
    effective_date: effectiveDate,
    home,
    counties: counties ? [...counties] : null,
    known: knowledge,
    ...(property.rangesByCertainty ? { known_at: structuredClone(property.rangesByCertainty) } : {}),
    ...(property.evidence ? { evidence: writeAllEvidence(property.evidence) } : {}),
    ...(property.isLocated ? { located: true as const } : {}),
    ...(property.location ? { location: writeLocation(property.location) } : {}),
  };
}

function writeLocation({
  latitude,
  longitude,
  radiusMeters,
  footprint,
}: PropertyLocation): NonNullable<DecisionRecord['location']> {
  return { latitude, longitude, radius_meters: radiusMeters, ...(footprint ? { footprint } : {}) };
}

function readLocation({ radius_meters, ...location }: NonNullable<DecisionRecord['location']>): PropertyLocation {
  return { ...location, radiusMeters: radius_meters };
}

/** Restores the property. @throws {ReplayError} If the vocabulary lacks a field or value of the record. */
export function propertyOfRecord(record: RecordedHome, vocabulary: Vocabulary): Property {
  const { county: _, ...home } = record.home;
  const body = { ...home, as_of: record.as_of, effective_date: record.effective_date };
  const parsed = parseRequest(body, { now: new Date(0), vocabulary });
  if (!parsed.ok) {
    throw new ReplayError(
      'invalid_record',
      parsed.faults.map(({ path, message }) => ({ path: `/home${path}`, message })),
    );
  }
  const { property } = parsed.request;
  const values: Record<string, Knowledge> = {};
  vocabulary.fields.forEach((field, index) => {
    const value = Object.hasOwn(record.known, field.name) ? record.known[field.name] : undefined;
    values[field.name] = value === undefined ? (property.givenValues ?? property.values)[index] : knowledgeOf(value);
  });
  for (const name of Object.keys(record.known)) {
    if (Object.hasOwn(values, name)) continue;
    throw new ReplayError('invalid_record', [
      { path: `/known/${name}`, message: `The line ${vocabulary.line} has no field ${JSON.stringify(name)}.` },
    ]);
  }
  const events = record.events && eventsOf(record.events);
  try {
    return createProperty({
      ...property,
      counties: record.counties ?? undefined,
      values,
      evidence: readAllEvidence(record.evidence) ?? property.evidence,
      isLocated: record.located ?? false,
      location: record.location && readLocation(record.location),
      events,
      rangesByCertainty: record.known_at,
    });
  } catch (error) {
    throw new ReplayError('invalid_record', [{ path: '/known', message: (error as Error).message }]);
  }
}

function eventsOf(events: NonNullable<RecordedHome['events']>): Property['events'] {
  const parsed = parseHazardEvents(events);
  if (parsed.ok) return parsed.events;
  throw new ReplayError(
    'invalid_record',
    parsed.faults.map(({ path, message }) => ({ path: `/events${path}`, message })),
  );
}

function writeAllEvidence(evidence: NonNullable<Property['evidence']>): NonNullable<DecisionRecord['evidence']> {
  return Object.fromEntries(
    Object.entries(evidence).map(([name, { asOf, source }]) => [
      name,
      { ...(asOf === undefined ? {} : { as_of: asOf }), ...(source === undefined ? {} : { source }) },
    ]),
  );
}

function readAllEvidence(evidence: DecisionRecord['evidence']): Property['evidence'] {
  return (
    evidence &&
    Object.fromEntries(Object.entries(evidence).map(([name, { as_of: asOf, source }]) => [name, { asOf, source }]))
  );
}

function knowledgeOf(value: DecisionRecord['known'][string]): Knowledge {
  if (typeof value !== 'object') return value;
  return 'one_of' in value
    ? { kind: 'one of', words: value.one_of }
    : { kind: 'between', min: value.min, max: value.max };
}

function textOf(ms: number): string {
  const micros = Math.round((ms - Math.floor(ms / 1000) * 1000) * 1000);
  const carried = Math.floor(ms / 1000) * 1000 + (micros >= 1_000_000 ? 1000 : 0);
  return `${new Date(carried).toISOString().slice(0, 19)}.${String(micros % 1_000_000).padStart(6, '0')}Z`;
}
