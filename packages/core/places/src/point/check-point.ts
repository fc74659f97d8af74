import { canBeInUnitedStates } from './outline.ts';
import type { Point } from './point.ts';

/** What is wrong, or odd, about coordinates given for a home. */
export interface PointFinding {
  /** `off_globe` is no point; `swapped` and `sign_lost` are points, but hardly those meant; `outside_us` may be meant. */
  readonly code: 'off_globe' | 'swapped' | 'sign_lost' | 'outside_us';
  readonly message: string;
  /** The point that was probably meant. */
  readonly suggestion?: Point;
}

/** Boxes round the states and territories, for what was likely meant; half a degree of sea included: [south, west, north, east] in degrees. */
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
 * Checks coordinates given for a home in the United States: undefined if nothing is odd about them. Points within 13 km of
 * the border are taken for this side of it.
 */
export function checkPoint(point: Point): PointFinding | undefined {
  const { latitude, longitude } = point;
  const isBoxed = isInBoxes(point);
  // Nothing is odd about most points: what would be said of them is not written.
  if (isBoxed && canBeInUnitedStates(point)) return undefined;
  const text = `lat ${latitude}, lng ${longitude}`;
  if (isBoxed) return { code: 'outside_us', message: outside(text) };
  const offGlobe = !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);
  const swapped = { latitude: longitude, longitude: latitude };
  if (isInBoxes(swapped)) {
    const message = `${text} is ${offGlobe ? 'no point on the globe' : 'outside the United States'}; the other way round it is inside: were latitude and longitude swapped?`;
    return { code: offGlobe ? 'off_globe' : 'swapped', message, suggestion: swapped };
  }
  if (offGlobe) {
    return {
      code: 'off_globe',
      message: `${text} is no point: latitude is from -90 to 90, longitude from -180 to 180.`,
    };
  }
  const west = { latitude, longitude: -longitude };
  if (longitude > 0 && isInBoxes(west)) {
    const message = `${text} is outside the United States; with longitude ${-longitude} it is inside: was the minus sign lost?`;
    return { code: 'sign_lost', message, suggestion: west };
  }
  return { code: 'outside_us', message: outside(text) };
}

function outside(text: string): string {
  return `${text} is outside the United States.`;
}
