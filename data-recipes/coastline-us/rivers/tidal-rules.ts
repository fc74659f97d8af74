/**
 * The figures of the tidal evidence, chosen on NOAA's tide stations held out by half and by state (see the report). Rivers are
 * drawn 250 m true where a gauge stands on them; where none does, stations stand up to 750 m off what is drawn.
 */
export const KNOWN_RIVER_METERS = 250;
export const POSSIBLE_RIVER_METERS = 750;

/** So far along the network a tide may well run that nobody has measured. */
export const POSSIBLE_NETWORK_METERS = 15_000;

/** A longer link of two gauges says too little of where the water is. */
export const MAX_LINK_METERS = 12_000;

/**
 * As far to either side of a link as its way may wind. Where many gauges stand close together on water that no source draws, it is a
 * maze of creeks, most of them without a gauge; a gauge by itself stands on one river.
 */
export function linkRadiusMeters(lengthMeters: number, isMaze: boolean): number {
  const radius = isMaze ? 3_500 + Math.min(2 * lengthMeters, 6_000) : 1_000 + Math.min(1.5 * lengthMeters, 5_000);
  return Math.ceil(radius / LINK_RADIUS_STEP_METERS) * LINK_RADIUS_STEP_METERS;
}
const LINK_RADIUS_STEP_METERS = 600;

/** A maze: so many gauges beyond the shores' knowledge within this of one, itself included. */
export const MAZE_GAUGES = 8;
export const MAZE_METERS = 10_000;
