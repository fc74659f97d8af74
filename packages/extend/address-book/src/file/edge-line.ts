import type { Point } from '@leeward/places';

/** Positions are stored in millionths of a degree, about 0.1 m. */
export const PER_DEGREE = 1e6;

/** A line as 32-bit integers: latitude and longitude alternate. */
export function packLine(line: readonly Point[]): Uint8Array {
  const packed = new Int32Array(line.length * 2);
  line.forEach(({ latitude, longitude }, index) => {
    packed[2 * index] = Math.round(latitude * PER_DEGREE);
    packed[2 * index + 1] = Math.round(longitude * PER_DEGREE);
  });
  return new Uint8Array(packed.buffer);
}

export function unpackLine(bytes: Uint8Array): readonly Point[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / 8) }, (_, index) => ({
    latitude: view.getInt32(8 * index, true) / PER_DEGREE,
    longitude: view.getInt32(8 * index + 4, true) / PER_DEGREE,
  }));
}
