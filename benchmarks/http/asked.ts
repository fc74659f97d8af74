import { checkPoint } from '@leeward/places';
import { createRandom, pick } from '../../test/support/random.ts';
import { createHomes, withMissing } from '../engine/homes.ts';
import { type Place, SEED } from './place.ts';

/** One operation and the bodies sent to it, in turn. */
export interface Asked {
  readonly name: 'underwrite' | 'quote-status' | 'distance';
  readonly path: string;
  readonly token: string;
  readonly bodies: readonly string[];
}

/** Homes with 10 % of the fields missing, one quote, and points within a hundred miles of some shores. */
export function whatIsAsked({ apiKey, teamToken, quoteId }: Place): readonly Asked[] {
  const homes = withMissing(createHomes(SEED + 1, 500), 0.1, SEED + 2);
  const underwriting = homes.map(({ home_age: _, roof_age, roof_type, county, ...home }) =>
    JSON.stringify({
      ...home,
      ...(roof_age === undefined || roof_type === undefined ? {} : { roof_age, roof_type }),
      effective_date: '2026-11-20',
      as_of: '2026-11-20T12:00:00Z',
    }),
  );
  const random = createRandom(SEED + 3);
  const towns = [
    [25.77, -80.3],
    [29.76, -95.37],
    [30.33, -81.66],
    [35.2, -77.0],
    [40.7, -74.4],
    [37.4, -121.9],
    [47.6, -121.8],
  ] as const;
  const points: string[] = [];
  while (points.length < 500) {
    const [lat, lng] = pick(random, towns);
    const point = { latitude: lat + random() - 0.5, longitude: lng + random() - 0.5 };
    // At sea and abroad the answer has a warning.
    if (checkPoint(point) === undefined) points.push(JSON.stringify({ lat: point.latitude, lng: point.longitude }));
  }
  return [
    { name: 'underwrite', path: '/v1/underwrite/home', token: apiKey, bodies: underwriting },
    {
      name: 'quote-status',
      path: `/api/v1/quote/${quoteId}`,
      token: teamToken,
      bodies: [JSON.stringify({ include_rates: false })],
    },
    { name: 'distance', path: '/v1/distance-to-coast', token: apiKey, bodies: points },
  ];
}
