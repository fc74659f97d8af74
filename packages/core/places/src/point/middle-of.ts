import { type Point, sphericalDistanceMeters } from './point.ts';

/**
 * Returns the mean of near points, and the distance of the farthest.
 * @example
 * middleOf([{ latitude: 25.7, longitude: -80.1 }, { latitude: 25.9, longitude: -80.1 }]).center.latitude; // 25.8
 */
export function middleOf(points: readonly Point[]): { readonly center: Point; readonly reachMeters: number } {
  const mean = (value: (point: Point) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const center = { latitude: mean(({ latitude }) => latitude), longitude: mean(({ longitude }) => longitude) };
  return { center, reachMeters: Math.max(...points.map((point) => sphericalDistanceMeters(center, point))) };
}
