import type { CoastIndex, Shoreline } from '@leeward/coast';

/** WGS84. */
const SQUARED_ECCENTRICITY = 6.694_379_990_141_316e-3;
const DEGREES = 180 / Math.PI;

/**
 * The shoreline of an index, to 4 mm; segments longer than 500 m are divided.
 * @example
 * const shoreline = shorelineOfIndex(openCoastData(bytes, 'own.coast'));
 */
export function shorelineOfIndex(index: CoastIndex): Shoreline {
  index.openAll();
  const { vertices, lineStarts, layers, shores } = index.lines;
  const positions = new Float64Array((vertices.length / 3) * 2);
  for (let vertex = 0; vertex * 3 < vertices.length; vertex++) {
    const [x = 0, y = 0, z = 0] = vertices.subarray(vertex * 3, vertex * 3 + 3);
    positions[vertex * 2] = Math.atan2(y, x) * DEGREES;
    positions[vertex * 2 + 1] = Math.atan2(z, Math.hypot(x, y) * (1 - SQUARED_ECCENTRICITY)) * DEGREES;
  }
  return { ...index.header, positions, lineStarts, layers, shores };
}
