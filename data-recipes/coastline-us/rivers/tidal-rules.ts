/** Parameters of the tidal evidence, chosen on NOAA's tide stations held out by half and by state (see the report). */

/** OSM's banks are as accurate as OSM's coast. */
export const KNOWN_RIVER_METERS = 160;

/** A class of waters in which unmeasured tide is plausible. */
export interface PossibleClass {
  /** Maximum length of network to a shore or to a known tidal river. */
  readonly networkMeters: number;
  /** Maximum distance of the water from the line. */
  readonly radiusMeters: number;
}

/**
 * Close to a shore, the shore itself is drawn in detail, and little water is missing along a river. A radius of 250 m there would reach
 * 0.7 % more of the held-out stations, and leave up to 6 % more of a county's land undecided. Farther up, rivers are the only map, and
 * stations are up to 750 m from them.
 */
export const POSSIBLE_CLASSES: readonly PossibleClass[] = [
  { networkMeters: 1_000, radiusMeters: 100 },
  { networkMeters: 3_500, radiusMeters: 150 },
  { networkMeters: 15_000, radiusMeters: 750 },
  { networkMeters: 50_000, radiusMeters: 750 },
];
export const POSSIBLE_NETWORK_METERS = 50_000;

/**
 * Gauges show that there is tide along a kind of river, not that all of it is tidal, or drawn as shore by a survey. On ten shores of other
 * sources, held out, 54 % of limits that only such a river puts within reach are reached (README of the package).
 */
export const MAX_RIVER_PROBABILITY = 0.55;

/** Lines of the coast of 2017 this far inland of today's were taken off the coast since, most of them creeks. */
export const FORMER_COAST_METERS = 250;

/** A longer link does not locate the water. */
export const MAX_LINK_METERS = 6_000;

/** The way of the tide is this close to its link with the probability of the part of the link. */
export const LINK_RADIUS_METERS = 250;

/** Parts of a link, by distance from its gauge. */
export const LINK_PARTS_METERS: readonly number[] = [500, 1_000, 2_000, 3_000];

/**
 * The water of a gauge on no drawn river goes on around it. The radius is within a quarter of the distance to the nearest
 * shore: closer to a shore, the shore is the better evidence.
 */
export const AREA_RADII_METERS: readonly number[] = [2_250];
export const AREA_SHARE = 0.25;
