import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../test/support/test-volume.ts';
import { isClosed, lineCount, signedAreaSquareMeters } from './line-set.ts';
import { readOsm } from './read-osm.ts';

type Ring = readonly (readonly [number, number])[];

/** A MultiPolygon of WKB; every geometry names its byte order. */
function wkb(polygons: readonly (readonly Ring[])[], isLittleEndian: (polygon: number) => boolean): Uint8Array {
  const bytes: number[] = [];
  const put = (size: number, write: (view: DataView) => void): void => {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    bytes.push(...new Uint8Array(view.buffer));
  };
  const header = (order: boolean, type: number, count: number): void => {
    bytes.push(order ? 1 : 0);
    for (const value of [type, count]) put(4, (view) => view.setUint32(0, value, order));
  };
  header(true, 6, polygons.length);
  polygons.forEach((rings, polygon) => {
    const order = isLittleEndian(polygon);
    header(order, 3, rings.length);
    for (const ring of rings) {
      put(4, (view) => view.setUint32(0, ring.length, order));
      for (const value of ring.flat()) put(8, (view) => view.setFloat64(0, value, order));
    }
  });
  return Uint8Array.from(bytes);
}

function box(x: number, y: number, size: number, isClockwise: boolean): Ring {
  const ring: Ring = [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ];
  return isClockwise ? [...ring].reverse() : ring;
}

describe('reading the land polygons', () => {
  it('has the land on the left of outer rings and of holes, for every order in the file', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            x: fc.integer({ min: -170, max: 160 }),
            y: fc.integer({ min: -80, max: 70 }),
            directions: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
            isLittleEndian: fc.boolean(),
          }),
          { maxLength: 5 },
        ),
        (polygons) => {
          const read = readOsm(
            wkb(
              polygons.map(({ x, y, directions }) =>
                directions.map((isClockwise, ring) => box(x + ring, y + ring, ring === 0 ? 8 : 0.5, isClockwise)),
              ),
              (polygon) => polygons[polygon]!.isLittleEndian,
            ),
            100_000,
            () => true,
          );
          const isOuter = polygons.flatMap(({ directions }) => directions.map((_, ring) => ring === 0));
          expect(lineCount(read)).toBe(isOuter.length);
          isOuter.forEach((outer, line) => {
            expect(isClosed(read, line)).toBe(true);
            expect(signedAreaSquareMeters(read, line) > 0).toBe(outer);
          });
        },
      ),
      { numRuns: testVolume(100) },
    );
  });

  it('rounds, drops repeated vertices, and leaves far rings out', () => {
    const ring: Ring = [
      [1.000001, 2],
      [1.000004, 2.000001],
      [1.1, 2],
      [1.1, 2.1],
      [1.000001, 2],
    ];
    const read = readOsm(
      wkb([[ring], [box(50, 50, 1, false)]], () => true),
      100_000,
      (x) => x < 10,
    );
    expect([...read.positions]).toEqual([1, 2, 1.1, 2, 1.1, 2.1, 1, 2]);
  });

  it('rejects other geometries, open rings and bytes left over', () => {
    const good = wkb([[box(0, 0, 1, true)]], () => true);
    const read = (bytes: Uint8Array) => readOsm(bytes, 100_000, () => true);
    const polygon = good.slice(9);
    expect(() => read(polygon)).toThrow('Byte 0: expected geometry type 6 of WKB, read 3.');
    expect(() => read(wkb([[box(0, 0, 1, true).slice(1)]], () => true))).toThrow('a ring that is not closed');
    expect(() => read(Uint8Array.from([...good, 0]))).toThrow(`ends at byte ${good.length} of ${good.length + 1}`);
    expect(() => read(good.subarray(0, 60))).toThrow(RangeError);
  });
});
