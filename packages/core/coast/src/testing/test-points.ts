import { geodesicSteps } from '../earth/geodesic.ts';
import type { GeographicPoint } from '../earth/geographic-point.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';

export function testPoints(shoreline: Shoreline, count: number, random: () => number): GeographicPoint[] {
  const { positions, lineStarts } = shoreline;
  const vertices = positions.length / 2;
  const lastOfLine = new Set([...lineStarts.slice(1)].map((end) => end - 1));
  const vertex = (): number => Math.floor(random() * vertices);
  const near = (degrees: number): GeographicPoint => {
    const at = vertex();
    return inRange(positions[at * 2 + 1]! + spread(random) * degrees, positions[at * 2]! + spread(random) * degrees);
  };
  const kinds: (() => GeographicPoint)[] = [
    () => near(0.001),
    () => near(0.05),
    () => near(0.5),
    () => near(4),
    () => inRange(15 + random() * 60, -180 + random() * 120),
    () => inRange(random() * 180 - 90, random() * 360 - 180),
    () => near(0),
    () => {
      let at = vertex();
      while (lastOfLine.has(at)) at = vertex();
      const [latitude = 0, longitude = 0] = geodesicSteps(
        positions[at * 2 + 1]!,
        positions[at * 2]!,
        positions[at * 2 + 3]!,
        positions[at * 2 + 2]!,
        1,
      );
      return { latitude, longitude };
    },
    () => {
      const cells = 4 ** Math.floor(random() * 7);
      const { latitude, longitude } = near(0.2);
      return random() < 0.5
        ? inRange(Math.round(latitude * cells) / cells, longitude)
        : inRange(Math.round(latitude * cells) / cells, Math.round(longitude * cells) / cells);
    },
    () => FIXED[Math.floor(random() * FIXED.length)]!,
  ];
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]!());
}

const FIXED: readonly GeographicPoint[] = [
  { latitude: 90, longitude: 0 },
  { latitude: 90, longitude: 180 },
  { latitude: -90, longitude: -120 },
  { latitude: 52, longitude: 180 },
  { latitude: 52, longitude: -180 },
  { latitude: 65.5, longitude: -180 },
  { latitude: 0, longitude: 180 },
  { latitude: 52.9, longitude: 172.9 },
  { latitude: 13.45, longitude: 144.78 },
  { latitude: -14.3, longitude: -170.7 },
  { latitude: 51.27, longitude: 179.1 },
  { latitude: 64.84, longitude: -147.72 },
];

function spread(random: () => number): number {
  return (random() - random()) * random();
}

function inRange(latitude: number, longitude: number): GeographicPoint {
  const turned = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
  return { latitude: Math.max(-90, Math.min(90, latitude)), longitude: turned };
}
