import { toMeters } from '@leeward/engine/compiled';

const limits = [0.5, 1, 2, 5, 10, 25, 50].map((miles) => ({ miles, meters: toMeters(miles, 'miles') }));

/** Names of the bands of distances to the coast, nearest first, then `unknown`. */
export const distanceBands: readonly string[] = [
  ...limits.map(({ miles }, place) =>
    place === 0 ? `below ${miles} mi` : `${limits[place - 1]!.miles} to ${miles} mi`,
  ),
  `${limits.at(-1)!.miles} mi and more`,
  'unknown',
];

/** The band of a distance between two numbers of meters; `unknown` if they are in different bands. */
export function distanceBand(min: number | undefined, max: number | undefined = min): string {
  if (min === undefined || max === undefined || Number.isNaN(min)) return 'unknown';
  const place = (meters: number) => {
    const index = limits.findIndex((limit) => meters < limit.meters);
    return index < 0 ? limits.length : index;
  };
  return place(min) === place(max) ? distanceBands[place(min)]! : 'unknown';
}
