import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';

/** The limits that rules use, as bands on the map: the nearest first. */
export interface Band {
  readonly className: string;
  readonly meters: number;
  readonly label: string;
}

export const bands: readonly Band[] = [
  { className: 'b1', meters: 1_000 * METERS_PER_FOOT, label: '1,000 ft' },
  { className: 'b2', meters: METERS_PER_MILE, label: '1 mile' },
  { className: 'b3', meters: 5 * METERS_PER_MILE, label: '5 miles' },
  { className: 'b4', meters: 40_233.6, label: '25 miles' },
];
