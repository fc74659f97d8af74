import { toMeters } from '@leeward/engine';

const limits = [0.5, 1, 2, 5, 10, 25, 50].map((miles) => ({ miles, meters: toMeters(miles, 'miles') }));

/** Names of the bands, the nearest first. */
export const distanceBands: readonly string[] = [
  ...limits.map(({ miles }, place) =>
    place === 0 ? `below ${miles} mi` : `${limits[place - 1]!.miles} to ${miles} mi`,
  ),
  `${limits.at(-1)!.miles} mi and more`,
  'unknown',
];

/** Where a distance lies; undefined where it is not known to lie in one band. */
export function distanceBand(least: number | undefined, greatest: number | undefined = least): string {
  if (least === undefined || greatest === undefined || Number.isNaN(least)) return 'unknown';
  const place = (meters: number) => {
    const found = limits.findIndex((limit) => meters < limit.meters);
    return found < 0 ? limits.length : found;
  };
  return place(least) === place(greatest) ? distanceBands[place(least)]! : 'unknown';
}
