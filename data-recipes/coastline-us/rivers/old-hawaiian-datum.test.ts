import { expect, it } from 'vitest';
import { fromOldHawaiianDatum } from './old-hawaiian-datum.ts';

const METERS_PER_DEGREE = 111_195;

it('moves Honolulu some 350 m south and 290 m east, and all islands similarly', () => {
  for (const point of [
    { latitude: 21.3, longitude: -157.86 },
    { latitude: 22.2, longitude: -159.5 },
    { latitude: 19.1, longitude: -155.5 },
  ]) {
    const moved = fromOldHawaiianDatum(point);
    const north = (moved.latitude - point.latitude) * METERS_PER_DEGREE;
    const east = (moved.longitude - point.longitude) * METERS_PER_DEGREE * Math.cos((point.latitude * Math.PI) / 180);
    expect(north).toBeGreaterThan(-375);
    expect(north).toBeLessThan(-325);
    expect(east).toBeGreaterThan(265);
    expect(east).toBeLessThan(305);
  }
});
