import { CoastError } from '../coast-error.ts';
import {
  EQUATORIAL_RADIUS_METERS,
  FRAME_LENGTH,
  POLAR_RADIUS_METERS,
  UNITS_PER_METER,
  writeFrame,
} from '../earth/ellipsoid.ts';
import { geodesicBetween, geodesicSteps } from '../earth/geodesic.ts';
import type { Shoreline } from './shoreline.ts';

/** A chord of 500 m is 5 mm below the ellipsoid at its middle, one of 5 km half a meter. */
export const MAX_SEGMENT_METERS = 500;

/** Up to here the plane of chord and vertical is within 0.1 mm of the geodesic. */
const MAX_PLANE_STEP_METERS = 20_000;

/** Leaves of the candidate quadtree have 26 bits for a vertex. */
export const MAX_VERTICES = 1 << 26;

/** Earth-centred units; segments of more than 0 and up to 500 m. */
export interface EarthLines {
  readonly vertices: Int32Array;
  /** Mask of the segment that starts at a vertex; 0 at the end of a line. */
  readonly layers: Uint16Array;
  readonly shores: Uint8Array;
  readonly classes: Uint8Array;
  readonly lineStarts: Uint32Array;
}

class VertexList {
  positions: Int32Array<ArrayBuffer>;
  layers: Uint16Array<ArrayBuffer>;
  shores: Uint8Array<ArrayBuffer>;
  classes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(expected: number) {
    this.positions = new Int32Array(expected * 3);
    this.layers = new Uint16Array(expected);
    this.shores = new Uint8Array(expected);
    this.classes = new Uint8Array(expected);
  }

  push(x: number, y: number, z: number): number {
    if (this.length === this.layers.length) this.#grow();
    const at = this.length++;
    this.positions[at * 3] = x;
    this.positions[at * 3 + 1] = y;
    this.positions[at * 3 + 2] = z;
    return at;
  }

  #grow(): void {
    const positions = new Int32Array(this.positions.length * 2);
    positions.set(this.positions);
    this.positions = positions;
    const layers = new Uint16Array(this.layers.length * 2);
    layers.set(this.layers);
    this.layers = layers;
    const shores = new Uint8Array(this.shores.length * 2);
    shores.set(this.shores);
    this.shores = shores;
    const classes = new Uint8Array(this.classes.length * 2);
    classes.set(this.classes);
    this.classes = classes;
  }
}

const frame = new Float64Array(FRAME_LENGTH);

function toEarthMeters(latitude: number, longitude: number, out: Float64Array): void {
  writeFrame(frame, latitude, longitude);
  out[0] = frame[0]! / UNITS_PER_METER;
  out[1] = frame[1]! / UNITS_PER_METER;
  out[2] = frame[2]! / UNITS_PER_METER;
}

const INVERSE_A2 = 1 / EQUATORIAL_RADIUS_METERS ** 2;
const INVERSE_B2 = 1 / POLAR_RADIUS_METERS ** 2;

/** Along the vertical: the radius differs by up to 0.2°, which would move the middle of a 20 km chord by 26 mm. */
function toSurface(point: Float64Array): void {
  for (let round = 0; round < 2; round++) {
    const x = point[0]! * INVERSE_A2;
    const y = point[1]! * INVERSE_A2;
    const z = point[2]! * INVERSE_B2;
    const depth = 1 - (point[0]! * x + point[1]! * y + point[2]! * z);
    const step = depth / (2 * (x * x + y * y + z * z));
    point[0]! += x * step;
    point[1]! += y * step;
    point[2]! += z * step;
  }
}

/** Divides long segments along the geodesic and drops segments of length zero. */
export function createEarthLines(shoreline: Shoreline): EarthLines {
  const { positions, lineStarts, layers, shores, classes } = shoreline;
  // Dividing adds about half as many vertices.
  const list = new VertexList(1_024 + layers.length + (layers.length >> 1));
  const starts = new Uint32Array(lineStarts.length);
  const here = new Float64Array(3);
  const next = new Float64Array(3);
  const between = new Float64Array(3);
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    const first = lineStarts[line]!;
    const end = lineStarts[line + 1]!;
    const lineStart = list.length;
    starts[line] = lineStart;
    for (let vertex = first; vertex < end; vertex++) {
      const longitude = positions[vertex * 2]!;
      const latitude = positions[vertex * 2 + 1]!;
      if (vertex === first) toEarthMeters(latitude, longitude, here);
      else {
        // Faster than `set` for three numbers.
        here[0] = next[0]!;
        here[1] = next[1]!;
        here[2] = next[2]!;
      }
      const mask = layers[vertex]!;
      const shore = shores[vertex]!;
      const accuracyClass = classes === undefined ? 0 : classes[vertex]!;
      append(list, lineStart, here, mask, shore, accuracyClass);
      if (vertex + 1 === end) break;
      const nextLongitude = positions[vertex * 2 + 2]!;
      const nextLatitude = positions[vertex * 2 + 3]!;
      toEarthMeters(nextLatitude, nextLongitude, next);
      const dx = next[0]! - here[0]!;
      const dy = next[1]! - here[1]!;
      const dz = next[2]! - here[2]!;
      if (dx * dx + dy * dy + dz * dz <= MAX_SEGMENT_METERS ** 2) continue;
      const chord = Math.hypot(dx, dy, dz);
      if (chord > MAX_PLANE_STEP_METERS) {
        const { distanceMeters } = geodesicBetween(latitude, longitude, nextLatitude, nextLongitude);
        const pieces = Math.ceil(distanceMeters / MAX_SEGMENT_METERS);
        const steps = geodesicSteps(latitude, longitude, nextLatitude, nextLongitude, pieces - 1);
        for (let step = 0; step < pieces - 1; step++) {
          toEarthMeters(steps[step * 2]!, steps[step * 2 + 1]!, between);
          append(list, lineStart, between, mask, shore, accuracyClass);
        }
        continue;
      }
      const pieces = Math.ceil(chord / MAX_SEGMENT_METERS);
      for (let step = 1; step < pieces; step++) {
        for (let axis = 0; axis < 3; axis++) {
          between[axis] = here[axis]! + ((next[axis]! - here[axis]!) * step) / pieces;
        }
        toSurface(between);
        append(list, lineStart, between, mask, shore, accuracyClass);
      }
    }
    if (list.length > lineStart) list.layers[list.length - 1] = 0;
  }
  starts[starts.length - 1] = list.length;
  if (list.length >= MAX_VERTICES) {
    throw new CoastError(
      'too_many_vertices',
      `the shoreline ${shoreline.name} has ${list.length} vertices after long segments are divided; an index holds up to ${MAX_VERTICES}: split the shoreline`,
    );
  }
  return {
    vertices: list.positions.slice(0, list.length * 3),
    layers: list.layers.slice(0, list.length),
    shores: list.shores.slice(0, list.length),
    classes: list.classes.slice(0, list.length),
    lineStarts: starts,
  };
}

function append(
  list: VertexList,
  lineStart: number,
  meters: Float64Array,
  layers: number,
  shore: number,
  accuracyClass: number,
): void {
  const x = Math.round(meters[0]! * UNITS_PER_METER);
  const y = Math.round(meters[1]! * UNITS_PER_METER);
  const z = Math.round(meters[2]! * UNITS_PER_METER);
  const last = list.length - 1;
  const positions = list.positions;
  const isSame =
    last >= lineStart && positions[last * 3] === x && positions[last * 3 + 1] === y && positions[last * 3 + 2] === z;
  const at = isSame ? last : list.push(x, y, z);
  list.layers[at] = layers;
  list.shores[at] = shore;
  list.classes[at] = accuracyClass;
}
