/** International mile. */
export const METERS_PER_MILE = 1_609.344;
/** International foot. */
export const METERS_PER_FOOT = 0.3048;
