import type { LineSet } from './line-set.ts';
import { LineSetBuilder } from './line-set.ts';

/**
 * Straight lines that OSM's shore of 2017 draws across the mouths of bays and rivers, whose inner shores it does not
 * have. Found where both ends stand at GSHHG's shore while the middle, and the supposed land behind it, lie in GSHHG's
 * water; then looked at one by one. Coordinates as they stand in `@geo-maps/earth-coastlines-1m` 0.6.0.
 */
export const CLOSINGS: readonly { readonly name: string; readonly path: readonly (readonly [number, number])[] }[] = [
  {
    name: 'Neah Bay',
    path: [
      [-124.629926, 48.376564],
      [-124.611402, 48.378114],
      [-124.598661, 48.380828],
    ],
  },
  {
    name: 'Yaquina Bay',
    path: [
      [-124.0349, 44.625459],
      [-124.041167, 44.620981],
    ],
  },
  {
    name: 'Willapa River',
    path: [
      [-123.996935, 46.701327],
      [-123.990154, 46.702372],
      [-123.985956, 46.706978],
    ],
  },
  {
    name: 'Nehalem Bay',
    path: [
      [-123.906316, 45.70838],
      [-123.901695, 45.701878],
    ],
  },
  {
    name: 'Tillamook Bay',
    path: [
      [-123.87697, 45.500214],
      [-123.875073, 45.489444],
    ],
  },
  {
    name: 'Chehalis River',
    path: [
      [-123.846219, 46.961525],
      [-123.846497, 46.952995],
    ],
  },
  {
    name: 'Skagit Bay',
    path: [
      [-122.496541, 48.359467],
      [-122.486906, 48.358127],
    ],
  },
  {
    name: 'Espiritu Santo Bay',
    path: [
      [-96.388076, 28.389992],
      [-96.379977, 28.386658],
    ],
  },
  {
    name: 'Atchafalaya River',
    path: [
      [-91.400793, 29.510656],
      [-91.408428, 29.511262],
    ],
  },
  {
    name: 'East Bay, Panama City',
    path: [
      [-85.582603, 30.046219],
      [-85.586492, 30.054103],
    ],
  },
  {
    name: 'Sapelo River',
    path: [
      [-81.324751, 31.42385],
      [-81.315932, 31.430551],
    ],
  },
  {
    name: 'Calibogue Sound and the Savannah River',
    path: [
      [-80.840819, 32.022582],
      [-80.851811, 32.030569],
      [-80.843985, 32.043201],
      [-80.841532, 32.075745],
      [-80.826272, 32.108467],
    ],
  },
  {
    name: 'Chechessee River',
    path: [
      [-80.773985, 32.302964],
      [-80.76004, 32.30924],
    ],
  },
  {
    name: 'Coosaw River',
    path: [
      [-80.483313, 32.446288],
      [-80.484702, 32.460206],
    ],
  },
  {
    name: 'Kiawah River',
    path: [
      [-80.001014, 32.629477],
      [-79.998779, 32.637145],
    ],
  },
  {
    name: 'Ashley River',
    path: [
      [-79.923681, 32.786487],
      [-79.907998, 32.792119],
    ],
  },
  {
    name: 'Winyah Bay',
    path: [
      [-79.183506, 33.197074],
      [-79.202528, 33.216047],
    ],
  },
  {
    name: 'York River',
    path: [
      [-76.803159, 37.520138],
      [-76.795826, 37.526062],
    ],
  },
  {
    name: 'Roanoke River',
    path: [
      [-76.685973, 36.006353],
      [-76.647862, 36.035945],
    ],
  },
  {
    name: 'Neuse River',
    path: [
      [-76.536241, 35.002134],
      [-76.597761, 35.073834],
    ],
  },
  {
    name: 'Pamlico and Pungo Rivers',
    path: [
      [-76.484953, 35.305917],
      [-76.482876, 35.307633],
      [-76.475984, 35.371803],
      [-76.468832, 35.372921],
    ],
  },
  {
    name: 'Severn River',
    path: [
      [-76.459689, 38.949053],
      [-76.454899, 38.974741],
    ],
  },
  {
    name: 'Eastern Bay',
    path: [
      [-76.376012, 38.849912],
      [-76.375975, 38.782445],
    ],
  },
  {
    name: 'Eastern Bay and the Miles River',
    path: [
      [-76.389733, 38.755557],
      [-76.382522, 38.74451],
      [-76.339665, 38.720726],
    ],
  },
  {
    name: 'Choptank River',
    path: [
      [-76.344151, 38.678769],
      [-76.303246, 38.574275],
    ],
  },
  {
    name: 'Little Choptank River',
    path: [
      [-76.303246, 38.574275],
      [-76.339173, 38.516729],
    ],
  },
  {
    name: 'Rappahannock River',
    path: [
      [-76.304047, 37.555512],
      [-76.297802, 37.557915],
      [-76.279106, 37.61804],
    ],
  },
  {
    name: 'Patuxent River',
    path: [
      [-76.42255, 38.304875],
      [-76.419306, 38.323123],
    ],
  },
  {
    name: 'Patapsco River',
    path: [
      [-76.477562, 39.166792],
      [-76.437008, 39.202113],
    ],
  },
  {
    name: 'Potomac River',
    path: [
      [-77.246421, 38.59328],
      [-77.200441, 38.618901],
    ],
  },
  {
    name: 'Chester River',
    path: [
      [-76.225224, 39.063074],
      [-76.271505, 39.039988],
      [-76.302637, 39.039851],
    ],
  },
  {
    name: 'South River',
    path: [
      [-76.509751, 38.869564],
      [-76.460235, 38.907269],
    ],
  },
  {
    name: 'Gunpowder River',
    path: [
      [-76.339814, 39.304105],
      [-76.281561, 39.299754],
    ],
  },
  {
    name: 'Susquehanna River',
    path: [
      [-76.011992, 39.539311],
      [-75.980483, 39.528998],
    ],
  },
  {
    name: 'Alligator River',
    path: [
      [-76.091175, 35.867237],
      [-76.082053, 35.865298],
    ],
  },
  {
    name: 'North River',
    path: [
      [-76.059408, 36.151718],
      [-76.009934, 36.18507],
    ],
  },
  {
    name: 'Nanticoke River',
    path: [
      [-76.04142, 38.225484],
      [-76.038846, 38.220507],
      [-75.95235, 38.176003],
    ],
  },
];

/** What the cleaning of OSM left out, in segments and metres. */
export interface OsmCleaning {
  readonly meridianSegments: number;
  readonly meridianMeters: number;
  readonly closingSegments: number;
  readonly closingMeters: number;
}

/** Drops the lines along the 180° meridian, where polygons were cut, and the closings. Rings are opened there. */
export function cleanOsm(lines: LineSet): { lines: LineSet; cleaning: OsmCleaning } {
  const closing = new Set<string>();
  for (const { path } of CLOSINGS) for (let i = 0; i + 1 < path.length; i++) closing.add(`${path[i]} ${path[i + 1]}`);
  const expected = closing.size;
  const cleaning = { meridianSegments: 0, meridianMeters: 0, closingSegments: 0, closingMeters: 0 };
  const kept = new LineSetBuilder();
  const p = lines.positions;
  for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
    const last = lines.lineStarts[line + 1]! - 1;
    for (let v = lines.lineStarts[line]!; v <= last; v++) {
      kept.addVertex(p[2 * v]!, p[2 * v + 1]!);
      if (v === last) break;
      const onMeridian = Math.abs(p[2 * v]!) === 180 && Math.abs(p[2 * v + 2]!) === 180;
      const isClosing = closing.has(`${p[2 * v]},${p[2 * v + 1]} ${p[2 * v + 2]},${p[2 * v + 3]}`);
      if (!onMeridian && !isClosing) continue;
      kept.endLine();
      const cosine = Math.cos(p[2 * v + 1]! * (Math.PI / 180));
      const meters = 111_195 * Math.hypot((p[2 * v + 2]! - p[2 * v]!) * cosine, p[2 * v + 3]! - p[2 * v + 1]!);
      cleaning[onMeridian ? 'meridianSegments' : 'closingSegments']++;
      cleaning[onMeridian ? 'meridianMeters' : 'closingMeters'] += meters;
    }
    kept.endLine();
  }
  if (cleaning.closingSegments !== expected)
    throw new Error(`Found ${cleaning.closingSegments} of ${expected} closings: is this version 0.6.0 of the data?`);
  return { lines: kept.finish(), cleaning };
}
