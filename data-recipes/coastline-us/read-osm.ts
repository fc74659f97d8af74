import { type LineSet, LineSetBuilder } from './line-set.ts';

const POLYGON = 3;
const MULTI_POLYGON = 6;

/**
 * Rings of a WKB MultiPolygon that touch one of the boxes, land on the left as in GSHHG. Coordinates are rounded to the steps of the
 * written file first: a ring that collapses has no line.
 */
export function readOsm(
  wkb: Uint8Array,
  stepsPerDegree: number,
  touches: (longitude: number, latitude: number) => boolean,
): LineSet {
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  const lines = new LineSetBuilder();
  let at = 0;
  const polygons = readHeader(MULTI_POLYGON);
  for (let polygon = 0; polygon < polygons.count; polygon++) {
    const rings = readHeader(POLYGON);
    for (let ring = 0; ring < rings.count; ring++) readRing(rings.isLittleEndian, ring === 0);
  }
  if (at !== wkb.byteLength) throw new Error(`The MultiPolygon ends at byte ${at} of ${wkb.byteLength}.`);
  return lines.finish();

  function readHeader(type: number): { readonly isLittleEndian: boolean; readonly count: number } {
    const isLittleEndian = view.getUint8(at) === 1;
    const read = view.getUint32(at + 1, isLittleEndian);
    if (read !== type) throw new Error(`Byte ${at}: expected geometry type ${type} of WKB, read ${read}.`);
    const count = view.getUint32(at + 5, isLittleEndian);
    at += 9;
    return { isLittleEndian, count };
  }

  function readRing(isLittleEndian: boolean, isOuter: boolean): void {
    const vertices = view.getUint32(at, isLittleEndian);
    const first = at + 4;
    at = first + 16 * vertices;
    const ring: number[] = [];
    let isNear = false;
    for (let from = first; from < at; from += 16) {
      const longitude = view.getFloat64(from, isLittleEndian);
      const latitude = view.getFloat64(from + 8, isLittleEndian);
      isNear ||= touches(longitude, latitude);
      const x = Math.round(longitude * stepsPerDegree) / stepsPerDegree;
      const y = Math.round(latitude * stepsPerDegree) / stepsPerDegree;
      if (ring.length === 0 || x !== ring[ring.length - 2] || y !== ring[ring.length - 1]) ring.push(x, y);
    }
    if (!isNear) return;
    if (ring[0] !== ring[ring.length - 2] || ring[1] !== ring[ring.length - 1])
      throw new Error(`Byte ${first}: a ring that is not closed.`);
    // Land is inside an outer ring (counterclockwise) and outside a hole (clockwise).
    const isInOrder = doubleArea(ring) > 0 === isOuter;
    for (let i = 0; i < ring.length; i += 2) {
      const from = isInOrder ? i : ring.length - 2 - i;
      lines.addVertex(ring[from]!, ring[from + 1]!);
    }
    lines.endLine();
  }
}

/** Positive if counterclockwise. */
function doubleArea(ring: readonly number[]): number {
  const x0 = ring[0]!;
  const y0 = ring[1]!;
  let sum = 0;
  for (let i = 0; i + 3 < ring.length; i += 2)
    sum += (ring[i]! - x0) * (ring[i + 3]! - y0) - (ring[i + 2]! - x0) * (ring[i + 1]! - y0);
  return sum;
}
