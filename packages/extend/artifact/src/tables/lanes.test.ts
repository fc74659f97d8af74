import { expect, it } from 'vitest';
import { LANES, laneCountFor, shareLanes } from './lanes.ts';

it('gives every carrier a lane, and spare lanes to carriers with many terms per lane', () => {
  expect(shareLanes([3, 60, 1]).folds).toHaveLength(0);
  const { ofCarrier, folds } = shareLanes([10, 5_000, 200]);
  expect(ofCarrier.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: LANES }, (_, lane) => lane));
  expect(ofCarrier.map((lanes) => lanes[0])).toEqual([0, 1, 2]);
  expect(ofCarrier.map((lanes) => lanes.length)).toEqual([1, 60, 3]);
  for (let fold = 0; fold < folds.length; fold += 3) {
    const spare = ofCarrier[folds[fold]!]!.slice(1);
    const bits = Array.from({ length: LANES }, (_, lane) => (folds[fold + 1 + (lane >> 5)]! >>> (lane & 31)) & 1);
    expect(bits.flatMap((bit, lane) => (bit ? [lane] : []))).toEqual(spare);
  }
});

it('gives a single carrier as many lanes as it has terms', () => {
  expect(shareLanes([25]).ofCarrier[0]).toHaveLength(25);
  expect(shareLanes([1_000]).ofCarrier[0]).toHaveLength(LANES);
  expect(shareLanes([0]).ofCarrier[0]).toHaveLength(1);
  expect([0, 64, 65, 1_000_000].map(laneCountFor)).toEqual([1, 1, 2, LANES]);
});
