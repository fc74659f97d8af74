import { createProperty, type Property, parseRequest } from '@leeward/engine';
import { between } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { fixtureCatalog, fixtureHomes } from '../../../../../test/support/engine/fixture-catalog.ts';
import type { DecisionRecord } from './decision-record.ts';
import { recordDecision } from './record-decision.ts';
import { requestOfRecord } from './request-of-record.ts';

const catalog = fixtureCatalog();
const now = new Date('2026-11-20T12:00:00Z');

function propertyOf(body: Record<string, unknown>): Property {
  const parsed = parseRequest(body, { now });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const recordOf = async (property: Property): Promise<DecisionRecord> =>
  JSON.parse(JSON.stringify((await recordDecision(catalog, property)).record));

describe('a request of a record', () => {
  it('is decided like the recorded home if nothing was left out', async () => {
    let whole = 0;
    for (const home of fixtureHomes()) {
      const property = propertyOf(home);
      const record = await recordOf(property);
      const { home: body, leftOut } = requestOfRecord(record);
      // Without its position, a home lacks its address instead of a distance.
      if (leftOut.length > 0 || (record.located && !record.location)) continue;
      const { as_of, effective_date } = record;
      const decision = await catalog.decide(propertyOf({ ...body, as_of, effective_date }));
      expect(decision).toEqual(await catalog.decide(property));
      whole++;
    }
    expect(whole).toBeGreaterThan(20);
  });

  it('keeps distances, dates and origins of values', async () => {
    const body = {
      state: 'fl',
      county: 'marion',
      policy_type: 'ho3',
      roof_age: { value: 2019, as_of: '2024-05', source: 'inspection' },
      roof_type: 'metal',
      distance_to_coast_miles: { value: 12, source: 'surveyor' },
    };
    const property = propertyOf(body);
    const { home, leftOut } = requestOfRecord(await recordOf(property));
    expect(leftOut).toEqual([]);
    const again = propertyOf(home as Record<string, unknown>);
    expect(again.evidence).toEqual(property.evidence);
    expect(again.values).toEqual(property.values);
  });

  it('leaves out what it cannot contain exactly, instead of a guess', async () => {
    const property = createProperty({
      ...propertyOf({ state: 'fl', policy_type: 'ho3', year_built: 2004 }),
      counties: ['12083', '12086'],
      values: { distance_to_ocean_meters: between(900, 1_100), dwelling_a: between(300_000, 400_000) },
    });
    const record = await recordOf(property);
    const { home, leftOut } = requestOfRecord(record);
    expect(home).toEqual({ state: 'fl', policy_type: 'ho3' });
    expect(leftOut).toEqual([
      'county, because it was one of several',
      'dwelling coverage A, because a request cannot contain its value',
      'distance to the open ocean, because it was measured as a range from an address, which is not saved',
    ]);
    const located = requestOfRecord({ ...record, location: { latitude: 25.7, longitude: -80.1, radius_meters: 30 } });
    expect(located.home).toMatchObject({ lat: 25.7, lng: -80.1, radius_meters: 30 });
    expect(located.leftOut.join()).not.toContain('distance');
  });
});
