import { expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { FRAME_LENGTH, UNITS_PER_METER, writeFrame } from '../earth/ellipsoid.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { entryOfItem, LEAF, packItem } from './candidate-tree.ts';
import { nearestCandidate } from './nearest-kernel.ts';
import { segmentDistance2 } from './segment-distance.ts';

const frame = new Float64Array(FRAME_LENGTH);

function randomLine(random: () => number, reach: number, meters: number, length: number): Int32Array {
  const vertices = new Int32Array(length * 3);
  const at = [0, 1, 2].map((axis) => frame[axis]! + (random() - 0.5) * reach * UNITS_PER_METER);
  for (let vertex = 0; vertex < length; vertex++) {
    for (let axis = 0; axis < 3; axis++) {
      vertices[vertex * 3 + axis] = Math.round(at[axis]!);
      at[axis]! += ((random() * 2 - 1) * meters * UNITS_PER_METER) / Math.sqrt(3);
    }
  }
  return vertices;
}

it('finds the same segment as brute force, the first of equally near ones', () => {
  const random = seededRandom(17);
  for (let round = 0; round < testVolume(2_500); round++) {
    writeFrame(frame, random() * 180 - 90, random() * 360 - 180);
    const meters = [0.01, 5, 75, 500][round % 4]!;
    const reach = [1, 500, 20_000, 60_000][(round >> 2) % 4]!;
    const vertices = randomLine(random, reach, meters, 34 + 25);
    const lists = [
      { entry: entryOfItem(packItem(0, 32, true)), pool: new Int32Array(1), segments: range(0, 32) },
      {
        entry: LEAF,
        pool: Int32Array.of(packItem(40, 3, false), packItem(2, 1, false), packItem(20, 17, true)),
        segments: [...range(40, 3), 2, ...range(20, 17)],
      },
    ];
    for (const { entry, pool, segments } of lists) {
      const distances = segments.map((segment) => segmentDistance2(vertices, segment, frame[0]!, frame[1]!, frame[2]!));
      const nearest = segments[distances.indexOf(Math.min(...distances))]!;
      const found = nearestCandidate(entry, pool, vertices, frame, 0);
      if (Math.min(...distances) <= (60_000 * UNITS_PER_METER) ** 2) expect(found).toBe(nearest);
    }
  }
});

function range(start: number, length: number): number[] {
  return Array.from({ length }, (_, index) => start + index);
}
