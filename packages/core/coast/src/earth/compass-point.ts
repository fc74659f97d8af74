/** The sixteen winds, from north clockwise. */
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

/** A direction in words, clockwise from north: one of sixteen. */
export type CompassPoint = (typeof COMPASS_POINTS)[number];

const SECTOR_DEGREES = 360 / COMPASS_POINTS.length;

/** The wind whose sector of 22.5° holds a bearing; the border between two belongs to the one further clockwise. */
export function compassPoint(bearingDegrees: number): CompassPoint {
  const sector = Math.floor((normalizeBearing(bearingDegrees) + SECTOR_DEGREES / 2) / SECTOR_DEGREES);
  return COMPASS_POINTS[sector % COMPASS_POINTS.length]!;
}

/** A bearing in [0, 360). */
export function normalizeBearing(bearingDegrees: number): number {
  const rest = bearingDegrees % 360;
  const turned = rest < 0 ? rest + 360 : rest;
  return turned < 360 ? turned : 0;
}
