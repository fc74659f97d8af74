/**
 * Parameters of the tidal evidence, chosen on NOAA's tide stations held out by half and by state (see the report). Rivers are accurate
 * to 250 m at a gauge; elsewhere stations are up to 750 m off.
 */
export const KNOWN_RIVER_METERS = 250;
export const POSSIBLE_RIVER_METERS = 750;

/** Length of network in which unmeasured tide is plausible. */
export const POSSIBLE_NETWORK_METERS = 15_000;

/** A longer link of two gauges does not locate the water. */
export const MAX_LINK_METERS = 12_000;

/**
 * A link's way may bend this far to either side. Many close gauges on undrawn water mean a maze of creeks, most without a gauge; a
 * single gauge is on one river.
 */
export function linkRadiusMeters(lengthMeters: number, isMaze: boolean): number {
  const radius = isMaze ? 3_500 + Math.min(2 * lengthMeters, 6_000) : 1_000 + Math.min(1.5 * lengthMeters, 5_000);
  return Math.ceil(radius / LINK_RADIUS_STEP_METERS) * LINK_RADIUS_STEP_METERS;
}
const LINK_RADIUS_STEP_METERS = 600;

/** Number of gauges beyond the shores' water within this distance of one, itself included. */
export const MAZE_GAUGES = 8;
export const MAZE_METERS = 10_000;
