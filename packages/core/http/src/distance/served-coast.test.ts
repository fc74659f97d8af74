import { buildCoastIndex, type Coast, type CoverageBox, createCoast, type Shoreline } from '@leeward/coast';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createServedCoast } from './served-coast.ts';

/** Meridians from 31 to 32 N. The side of the water is unknown. */
function meridians(
  name: string,
  longitudes: readonly number[],
  layer: string,
  coverage: readonly CoverageBox[],
): Coast {
  const vertices = longitudes.length * 2;
  const shoreline: Shoreline = {
    name,
    version: '1',
    attribution: name,
    positions: Float64Array.from(longitudes.flatMap((longitude) => [longitude, 31, longitude, 32])),
    lineStarts: Uint32Array.from({ length: longitudes.length + 1 }, (_, line) => line * 2),
    layerNames: [layer],
    layers: new Uint16Array(vertices).fill(1),
    shoreNames: [name],
    shores: new Uint8Array(vertices),
    water: 'unknown',
    accuracy: { radiusMeters: [10], method: '' },
    coverage,
  };
  return createCoast(buildCoastIndex(shoreline));
}

const county: CoverageBox = { west: -82, south: 31, east: -81, north: 32 };
const at = (longitude: number) => ({ latitude: 31.5, longitude });

describe('several coastlines served as one', () => {
  const own = meridians('own', [-81.5], 'tidal', [county]);
  const whole = meridians('whole', [-81.52, -80.99], 'tidal', []);
  const served = createServedCoast([own, whole]);

  it('are those of the first within its coverage, though another has a nearer line there', () => {
    const { dataset, distanceMeters, minMeters } = served.nearest(at(-81.53), 'tidal');
    expect(dataset.name).toBe('own');
    expect(distanceMeters).toBeGreaterThan(2_500);
    expect(minMeters).toBeCloseTo(distanceMeters - 10, 6);
  });

  it('are those of the next beyond it, and beyond its border where that is nearer', () => {
    expect(served.nearest(at(-80.9), 'tidal').dataset.name).toBe('whole');
    expect(served.nearest(at(-81.01), 'tidal').dataset.name).toBe('whole');
    expect(served.nearest(at(-81.3), 'tidal').dataset.name).toBe('own');
  });

  it('say how near an unknown shore beyond the border may be', () => {
    const near = createServedCoast([own, meridians('whole', [-81.9], 'tidal', [])]);
    const { dataset, minMeters, distanceMeters } = near.nearest(at(-81.95), 'tidal');
    expect(dataset.name).toBe('own');
    expect(minMeters).toBeGreaterThan(4_000);
    expect(minMeters).toBeLessThan(5_000);
    expect(distanceMeters).toBeGreaterThan(40_000);
  });

  it('are the nearest of the first one’s shores and what the others have beyond its coverage', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -81.99, max: -81.01, noNaN: true }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.double({ min: -84, max: -79, noNaN: true }), { minLength: 1, maxLength: 6 }),
        fc.double({ min: -83, max: -80, noNaN: true }),
        (inside, anywhere, longitude) => {
          const first = meridians('own', inside, 'tidal', [county]);
          const answer = createServedCoast([first, meridians('whole', anywhere, 'tidal', [])]).nearest(at(longitude));
          const isInside = longitude >= county.west && longitude <= county.east;
          const truth = isInside
            ? [...inside, ...anywhere.filter((each) => each < county.west || each > county.east)]
            : anywhere;
          const nearest = Math.min(...truth.map((each) => Math.abs(each - longitude)));
          const meters = nearest * 94_900;
          // Within the interval, or exactly on the line.
          expect(answer.minMeters).toBeLessThan(meters * 1.01 + 10);
          expect(answer.maxMeters).toBeGreaterThan(meters * 0.99 - 10);
        },
      ),
      { numRuns: testVolume(25) },
    );
  });

  it('answer each layer by the coastlines that have it', () => {
    const both = createServedCoast([meridians('marsh', [-81.2], 'marsh', []), whole]);
    expect(both.nearest(at(-81), 'marsh').dataset.name).toBe('marsh');
    expect(both.nearest(at(-81), 'tidal').dataset.name).toBe('whole');
    expect(both.datasets.map(({ name }) => name)).toEqual(['marsh', 'whole']);
    expect(() => both.nearest(at(-81), 'ocean')).toThrow(expect.objectContaining({ code: 'unknown_layer' }));
  });

  it('are refused where one would shadow another, and where there is none', () => {
    expect(() => createServedCoast([whole, own])).toThrow('own would never answer "tidal"');
    expect(() => createServedCoast([])).toThrow('pass at least one');
  });
});
