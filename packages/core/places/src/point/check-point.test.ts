import { describe, expect, it } from 'vitest';
import { checkPoint } from './check-point.ts';

describe('checkPoint', () => {
  it.each([
    [25.79, -80.13],
    [61.2, -149.9],
    [51.88, -176.65],
    [52.8, 173.2],
    [21.3, -157.86],
    [18.47, -66.1],
    [13.45, 144.78],
    [15.2, 145.75],
    [-14.28, -170.7],
    [47.6, -122.3],
    [43.765, -69.315], // Monhegan, an island of Maine that the outline lacks
    [24.55, -81.78],
    [41.65, -82.82], // an island of Lake Erie
    [31.33, -110.94], // Nogales, at the border
    [49.0, -97.2],
  ])('accepts %d, %d', (latitude, longitude) => {
    expect(checkPoint({ latitude, longitude })).toBeUndefined();
  });

  it.each([
    [-80.13, 25.79, 'swapped', { latitude: 25.79, longitude: -80.13 }],
    [-122.3, 47.6, 'off_globe', { latitude: 47.6, longitude: -122.3 }],
    [25.79, 80.13, 'sign_lost', { latitude: 25.79, longitude: -80.13 }],
    [91, 0, 'off_globe', undefined],
    [0, 180.5, 'off_globe', undefined],
    [Number.NaN, 0, 'off_globe', undefined],
    [0, Number.POSITIVE_INFINITY, 'off_globe', undefined],
    [51.5, -0.12, 'outside_us', undefined],
    [43.65, -79.38, 'outside_us', undefined], // Toronto
    [45.5, -73.57, 'outside_us', undefined], // Montréal
    [49.28, -123.12, 'outside_us', undefined], // Vancouver
    [25.67, -100.31, 'outside_us', undefined], // Monterrey
    [25.05, -77.35, 'outside_us', undefined], // Nassau
    [60.72, -135.05, 'outside_us', undefined], // Whitehorse
  ])('%d, %d: %s', (latitude, longitude, code, suggestion) => {
    const finding = checkPoint({ latitude, longitude });
    expect(finding?.code).toBe(code);
    expect(finding?.suggestion).toEqual(suggestion);
    expect(finding?.message).toContain(`lat ${latitude}, lng ${longitude}`);
  });
});
