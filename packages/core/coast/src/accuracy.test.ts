import { beforeAll, describe, expect, it } from 'vitest';
import { testVolume } from '../../../../test/support/test-volume.ts';
import type { Coast } from './answer/coast.ts';
import { createCoast } from './answer/create-coast.ts';
import { geodesicBetween } from './earth/geodesic.ts';
import type { Shoreline } from './shoreline/shoreline.ts';
import { karneyDistanceMeters } from './testing/karney-distance.ts';
import { unitedStatesIndex, unitedStatesShoreline } from './testing/natural-earth.ts';
import { seededRandom } from './testing/seeded-random.ts';
import { testPoints } from './testing/test-points.ts';

describe('nearest', () => {
  let shoreline: Shoreline;
  let coast: Coast;

  beforeAll(() => {
    shoreline = unitedStatesShoreline();
    coast = createCoast(unitedStatesIndex());
  });

  it('returns the distance of Karney’s geodesic over every segment, to 3 cm', () => {
    let largestNear = 0;
    let largestFar = 0;
    for (const point of testPoints(shoreline, testVolume(60), seededRandom(1))) {
      const expected = karneyDistanceMeters(shoreline, () => true, point.latitude, point.longitude);
      const { distanceMeters } = coast.nearest(point);
      const error = Math.abs(distanceMeters - expected);
      if (expected <= 500_000) largestNear = Math.max(largestNear, error);
      else largestFar = Math.max(largestFar, error);
    }
    console.log(
      `largest error ${(largestNear * 1000).toFixed(2)} mm within 500 km, ${(largestFar * 1000).toFixed(2)} mm beyond`,
    );
    expect(largestNear).toBeLessThan(0.03);
    expect(largestFar).toBeLessThan(0.03);
  });

  it('returns the distance and azimuth of the geodesic to the coast point', () => {
    let largestMeters = 0;
    let largestDegrees = 0;
    const noAzimuths: number[] = [];
    for (const point of testPoints(shoreline, testVolume(800), seededRandom(2))) {
      const answer = coast.nearest(point);
      const { latitude, longitude } = answer.coast;
      const { distanceMeters, azimuthDegrees } = geodesicBetween(point.latitude, point.longitude, latitude, longitude);
      largestMeters = Math.max(largestMeters, Math.abs(distanceMeters - answer.distanceMeters));
      const turn = Math.abs(((azimuthDegrees - answer.azimuthDegrees + 540) % 360) - 180);
      // At a pole azimuths are relative to the point's meridian; within a meter they depend on fractions of a nanometer.
      if (distanceMeters > 1) largestDegrees = Math.max(largestDegrees, turn);
      if (!(answer.azimuthDegrees >= 0 && answer.azimuthDegrees < 360)) noAzimuths.push(answer.azimuthDegrees);
    }
    expect(noAzimuths).toEqual([]);
    expect(largestMeters).toBeLessThan(0.01);
    expect(largestDegrees).toBeLessThan(5e-5);
  });
});
