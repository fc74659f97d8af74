import { type Point, sphericalDistanceMeters } from './point.ts';

/** The mean of points that lie near to each other, and how far the farthest is from it. */
export function middleOf(points: readonly Point[]): { readonly center: Point; readonly reachMeters: number } {
  const mean = (value: (point: Point) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const center = { latitude: mean(({ latitude }) => latitude), longitude: mean(({ longitude }) => longitude) };
  return { center, reachMeters: Math.max(...points.map((point) => sphericalDistanceMeters(center, point))) };
}
