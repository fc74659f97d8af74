import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';

/** A limit on the distance to the shore in a carrier's rules. */
export interface DrawnLimit {
  readonly carrier: string;
  readonly limit: number;
  readonly unit: 'miles' | 'feet' | 'meters';
}

/** Limits of the same distance. */
export interface LimitLine {
  readonly meters: number;
  /** `1,000 feet`. */
  readonly distance: string;
  /** Empty for a usual limit, which is in no rule. */
  readonly carriers: readonly string[];
}

const metersPer = { miles: METERS_PER_MILE, feet: METERS_PER_FOOT, meters: 1 } as const;
const MAX_LINES = 3;

/** Drawn if no rule has a limit. */
const usualLimits: readonly DrawnLimit[] = [
  { carrier: '', limit: 1000, unit: 'feet' },
  { carrier: '', limit: 1, unit: 'miles' },
  { carrier: '', limit: 5, unit: 'miles' },
];

/** The limits that are closest to the distance of the home, shortest first. */
export function limitLines(limits: readonly DrawnLimit[], distanceMeters: number): LimitLine[] {
  const farFrom = (meters: number) => Math.abs(Math.log((meters + 1) / (distanceMeters + 1)));
  const byMeters = Map.groupBy(limits.length > 0 ? limits : usualLimits, ({ limit, unit }) =>
    Math.round(limit * metersPer[unit]),
  );
  return [...byMeters]
    .sort(([one], [other]) => farFrom(one) - farFrom(other))
    .slice(0, MAX_LINES)
    .sort(([one], [other]) => one - other)
    .map(([, same]) => ({
      meters: same[0]!.limit * metersPer[same[0]!.unit],
      distance: describeLimit(same[0]!),
      carriers: [...new Set(same.map(({ carrier }) => carrier))].filter((carrier) => carrier !== ''),
    }));
}

const describeLimit = ({ limit, unit }: DrawnLimit) =>
  `${limit.toLocaleString('en-US')} ${limit === 1 && unit === 'miles' ? 'mile' : unit}`;
