import { describe, expect, it } from 'vitest';
import { findPlace } from './find-place.ts';

describe('an address', () => {
  it('that fits several parts of one street is answered by a place that holds them, with a warning', async () => {
    const candidate = { precision: 'interpolated', errorRadiusMeters: 100, geocoder: 'two', unmatched: [] } as const;
    const at = (latitude: number, city: string) => ({
      ...candidate,
      latitude,
      longitude: -87.2,
      matchedAddress: `12 ELM ST, ${city}, FL`,
    });
    const placeOf = (latitude: number) =>
      findPlace(
        { address: '12 Elm St, Pensacola FL 32503' },
        {
          geocoder: {
            name: 'two',
            geocode: async () => ({ status: 'ambiguous', candidates: [at(30.45, 'PENSACOLA'), at(latitude, 'BRENT')] }),
          },
        },
      );
    const place = await placeOf(30.47);
    expect(place).toMatchObject({ latitude: 30.46, longitude: -87.2, precision: 'street' });
    expect(place.errorRadiusMeters).toBeGreaterThan(1_200);
    expect(place.errorRadiusMeters).toBeLessThan(1_220);
    expect(place.warnings).toMatchObject([{ code: 'address_ambiguous', path: '/address' }]);
    await expect(placeOf(30.8)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    ['of several streets', ['12 ELM ST, BRENT, FL', '12 ELM AVE, BRENT, FL'], 'interpolated'],
    ['no nearer than a town', ['BRENT, FL', 'BRENT, FL'], 'city_centroid'],
  ] as const)('that fits places %s is not guessed, however near they are', async (_, matched, precision) => {
    const candidates = matched.map((matchedAddress, index) => ({
      precision,
      matchedAddress,
      latitude: 30.45 + index / 1000,
      longitude: -87.2,
      errorRadiusMeters: 100,
      geocoder: 'two',
      unmatched: [],
    }));
    const geocoder = { name: 'two', geocode: async () => ({ status: 'ambiguous' as const, candidates }) };
    await expect(findPlace({ address: '12 Elm, Brent FL' }, { geocoder })).rejects.toThrow(
      'This address fits several places',
    );
  });
});
