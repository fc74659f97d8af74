import { describe, expect, it } from 'vitest';
import { homeVocabulary } from '../vocabulary/home.ts';
import { parseRequest } from './parse-request.ts';
import { createProperty, type PropertyInput } from './property.ts';
import { locationOfFootprint } from './property-location.ts';

const footprint = {
  type: 'Polygon',
  coordinates: [
    [
      [-80.1343, 25.7825],
      [-80.134, 25.7825],
      [-80.134, 25.7828],
      [-80.1343, 25.7828],
      [-80.1343, 25.7825],
    ],
  ],
} as const;

const create = (location: unknown) =>
  createProperty({
    vocabulary: homeVocabulary,
    state: 'fl',
    values: {},
    asOfMs: 0,
    effectiveDate: '2026-08-01',
    location: location as PropertyInput['location'],
  });

const locate = (body: object) => {
  const parsed = parseRequest({ state: 'fl', ...body }, { now: new Date(0) });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property.location;
};

describe('the location of a property', () => {
  it('is kept, and unknown by default', () => {
    const location = { latitude: 25.78, longitude: -80.13, radiusMeters: 12 };
    expect(create(location).location).toBe(location);
    expect(create(undefined).location).toBeUndefined();
  });

  it('names each invalid part, its value and what to give', () => {
    const messageOf = (location: unknown) => {
      try {
        create(location);
      } catch (error) {
        return (error as Error).message;
      }
      return undefined;
    };
    const at = { latitude: 25.78, longitude: -80.13, radiusMeters: 12 };
    expect(messageOf('here')).toBe('location is "here"; give { latitude, longitude, radiusMeters }.');
    expect(messageOf({ ...at, latitude: -100 })).toBe(
      'location.latitude is -100; give degrees from -90 to 90. Are latitude and longitude swapped?',
    );
    expect(messageOf({ ...at, longitude: Number.NaN })).toContain('location.longitude is NaN; give degrees');
    expect(messageOf({ ...at, radiusMeters: -1 })).toContain('location.radiusMeters is -1; give meters from 0');
    expect(messageOf({ ...at, footprint: { type: 'Polygon', coordinates: [] } })).toContain('location.footprint: ');
    expect(messageOf({ ...at, footprint })).toContain('reaches 534 meters from the point, beyond radiusMeters (12)');
  });

  it('comes from the point, the radius or the footprint of a request', () => {
    expect(locate({})).toBeUndefined();
    expect(locate({ lat: 25.78, lng: -80.13 })).toEqual({ latitude: 25.78, longitude: -80.13, radiusMeters: 0 });
    expect(locate({ lat: 25.78, lng: -80.13, radius_meters: 40 })?.radiusMeters).toBe(40);
    const location = locate({ footprint })!;
    expect(location).toEqual(locationOfFootprint(footprint));
    expect(location.latitude).toBeCloseTo(25.78265, 9);
    expect(location.longitude).toBeCloseTo(-80.13415, 9);
    expect(location.radiusMeters).toBe(23);
  });
});
