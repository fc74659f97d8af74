import { canBeInUnitedStates } from './outline.ts';
import type { Point } from './point.ts';

/** A problem with coordinates. */
export interface PointFinding {
  /** `swapped` and `sign_lost` are likely mistakes; `outside_us` may be intended. */
  readonly code: 'off_globe' | 'swapped' | 'sign_lost' | 'outside_us';
  readonly message: string;
  /** Probably intended. */
  readonly suggestion?: Point;
}

/** States and territories with half a degree of sea. */
const boxes: readonly (readonly [south: number, west: number, north: number, east: number])[] = [
  [24, -125.5, 49.9, -66.4], // the 48 states
  [51, -180, 72, -129], // Alaska
  [51, 172, 54, 180], // the Aleutians beyond the antimeridian
  [18.4, -179, 29, -154], // Hawaii
  [17.1, -68.5, 19, -64], // Puerto Rico and the U.S. Virgin Islands
  [12.7, 144, 21, 146.6], // Guam and the Northern Mariana Islands
  [-15, -171.5, -10.5, -167.5], // American Samoa
];

const isInBoxes = ({ latitude, longitude }: Point) =>
  boxes.some(
    ([south, west, north, east]) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );

/**
 * Checks the coordinates of a home. Undefined if plausible: in the United States or within 13 km.
 * @example
 * checkPoint({ latitude: -80.13, longitude: 25.79 })?.code; // 'swapped'
 */
export function checkPoint(point: Point): PointFinding | undefined {
  const { latitude, longitude } = point;
  const isBoxed = isInBoxes(point);
  // Fast path for most points.
  if (isBoxed && canBeInUnitedStates(point)) return undefined;
  const text = `lat ${latitude}, lng ${longitude}`;
  if (isBoxed) return { code: 'outside_us', message: outside(text) };
  const offGlobe = !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);
  const swapped = { latitude: longitude, longitude: latitude };
  if (isInBoxes(swapped)) {
    const message = `${text} is ${offGlobe ? 'not a point on the globe' : 'outside the United States'}; with latitude and longitude swapped it is inside. Were they swapped?`;
    return { code: offGlobe ? 'off_globe' : 'swapped', message, suggestion: swapped };
  }
  if (offGlobe) {
    return {
      code: 'off_globe',
      message: `${text} is not a point: latitude must be from -90 to 90, longitude from -180 to 180.`,
    };
  }
  const west = { latitude, longitude: -longitude };
  if (longitude > 0 && isInBoxes(west)) {
    const message = `${text} is outside the United States; with longitude ${-longitude} it is inside. Is the minus sign missing?`;
    return { code: 'sign_lost', message, suggestion: west };
  }
  return { code: 'outside_us', message: outside(text) };
}

function outside(text: string): string {
  return `${text} is outside the United States.`;
}
