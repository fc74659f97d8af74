/** The sixteen points, clockwise from north. */
export const COMPASS_POINTS = [
  'north',
  'north-northeast',
  'northeast',
  'east-northeast',
  'east',
  'east-southeast',
  'southeast',
  'south-southeast',
  'south',
  'south-southwest',
  'southwest',
  'west-southwest',
  'west',
  'west-northwest',
  'northwest',
  'north-northwest',
] as const;

/** One of sixteen directions. */
export type CompassPoint = (typeof COMPASS_POINTS)[number];

const SECTOR_DEGREES = 360 / COMPASS_POINTS.length;

/**
 * Returns the point of the compass for a bearing. Sectors are 22.5° wide; a border belongs to the clockwise one. @param bearingDegrees
 * is clockwise from north.
 * @example
 * compassPoint(112.5); // 'east-southeast'
 */
export function compassPoint(bearingDegrees: number): CompassPoint {
  const sector = Math.floor((normalizeBearing(bearingDegrees) + SECTOR_DEGREES / 2) / SECTOR_DEGREES);
  return COMPASS_POINTS[sector % COMPASS_POINTS.length]!;
}

/** Into [0, 360). */
export function normalizeBearing(bearingDegrees: number): number {
  const remainder = bearingDegrees % 360;
  const turned = remainder < 0 ? remainder + 360 : remainder;
  return turned < 360 ? turned : 0;
}
