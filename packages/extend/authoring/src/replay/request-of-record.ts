import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { distanceNames, evidenceSubjects } from '@leeward/engine/compiled';
import { labelOf } from '@leeward/engine/vocabulary';
import { countyByFips } from '@leeward/places/counties';
import type { JsonObject } from '@leeward/terms';
import { readRecordedHome } from './replay-decision.ts';

/** The home of a record, to be underwritten under other rules and dates. */
export interface RequestOfRecord {
  /** A request without dates. Values that it cannot contain exactly are left out, so they are unknown. */
  readonly home: JsonObject;
  /** Values that were left out, in words: `county, because it was one of several`. */
  readonly leftOut: readonly string[];
}

/**
 * Creates a request from a recorded decision. A record has no address: distances that were measured as a range are left out, unless the
 * record has the position of the building.
 *
 * @throws {ReplayError} If the record is invalid or belongs to another line.
 * @example
 * const { home, leftOut } = requestOfRecord(record);
 */
export function requestOfRecord(source: unknown, vocabulary: Vocabulary = homeVocabulary): RequestOfRecord {
  const { record } = readRecordedHome(source, vocabulary);
  const { location, evidence = {} } = record;
  const home: Record<string, unknown> = { ...record.home };
  const leftOut: string[] = [];
  if (home['county'] === undefined && record.counties !== null) {
    const county = onlyCounty(record.counties);
    if (county === undefined) leftOut.push('county, because it was one of several');
    else home['county'] = county;
  }
  for (const [field, value] of Object.entries(record.known)) {
    const isDistance = distanceNames.some(([name]) => name === field);
    if (isDistance && typeof value === 'number') home[field] = value;
    else if (!isDistance) leftOut.push(`${labelOf(field, vocabulary)}, because a request cannot contain its value`);
    else if (!location)
      leftOut.push(
        `${labelOf(field, vocabulary)}, because it was measured as a range from an address, which is not saved`,
      );
  }
  if (location?.footprint) home['footprint'] = location.footprint;
  else if (location) {
    Object.assign(home, { lat: location.latitude, lng: location.longitude, radius_meters: location.radius_meters });
  }
  const subjects = evidenceSubjects(vocabulary);
  for (const [field, { as_of, source }] of Object.entries(evidence)) {
    const name = [subjects.get(field)?.requestName ?? field, field].find((each) => Object.hasOwn(home, each));
    if (name !== undefined) {
      home[name] = {
        value: home[name],
        ...(as_of !== undefined && { as_of }),
        ...(source !== undefined && { source }),
      };
    }
  }
  return { home: home as JsonObject, leftOut };
}

/** The name that all counties share; undefined if they differ. */
export function onlyCounty(counties: readonly string[]): string | undefined {
  const names = new Set(counties.map((fips) => countyByFips(fips)?.name));
  return names.size === 1 ? [...names][0] : undefined;
}
