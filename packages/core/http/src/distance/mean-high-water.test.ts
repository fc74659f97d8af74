import { buildCoastIndex, createCoast, type Shoreline } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { answerDistance } from './answer-distance.ts';
import { withinDebrisLine } from './mean-high-water.ts';

/** Meridians off Georgia: a river at 81.05 W that is tidal alone, and the sea at 81 W; others as named. */
function coastOf(lines: readonly (readonly [longitude: number, layers: readonly string[]])[]) {
  const layerNames = [...new Set(lines.flatMap(([, layers]) => layers))];
  const shoreline: Shoreline = {
    name: 'county',
    version: '1',
    attribution: '',
    positions: Float64Array.from(lines.flatMap(([longitude]) => [longitude, 31, longitude, 32])),
    lineStarts: Uint32Array.from({ length: lines.length + 1 }, (_, line) => 2 * line),
    layerNames,
    layers: Uint16Array.from(
      lines.flatMap(([, layers]) => {
        const mask = layers.reduce((sum, layer) => sum | (1 << layerNames.indexOf(layer)), 0);
        return [mask, mask];
      }),
    ),
    shoreNames: ['Atlantic'],
    shores: new Uint8Array(2 * lines.length),
    water: 'unknown',
    accuracy: { radiusMeters: layerNames.map(() => 10), method: '' },
    coverage: [],
  };
  return createCoast(buildCoastIndex(shoreline));
}

const river = [-81.05, ['tidal']] as const;
const sea = [-81, ['tidal', 'ocean_narrow']] as const;
const ask = (lng: number, coast = coastOf([river, sea])) =>
  answerDistance({ lat: 31.5, lng, coast: 'mean_high_water' }, { coast });

describe('the wind-borne debris line', () => {
  it('holds who lives by open water, leaves out who lives far from any, and does not decide by a river', async () => {
    expect((await ask(-81.005)).wind_borne_debris).toEqual({ within_one_mile: true });
    expect((await ask(-81.08)).wind_borne_debris).toEqual({ within_one_mile: false });
    expect((await ask(-81.055)).wind_borne_debris).toEqual({ within_one_mile: null });
  });

  it('tells the distance to open water, from as near as tidal water may be', async () => {
    const { distance, range_meters } = await ask(-81.055);
    expect(distance.raw.meters).toBeCloseTo(5_223, -1);
    expect(range_meters.min).toBeCloseTo(465, -1);
    expect(range_meters.max).toBeCloseTo(distance.raw.meters + 10, 6);
  });

  it('is that of its layer, if a dataset has one', async () => {
    const drawn = coastOf([river, sea, [-81.07, ['mean_high_water']]]);
    const { distance, range_meters, wind_borne_debris } = await ask(-81.08, drawn);
    expect(range_meters.max - range_meters.min).toBeCloseTo(20, 6);
    expect(distance.raw.meters).toBeCloseTo(950, -1);
    expect(wind_borne_debris).toEqual({ within_one_mile: true });
  });

  it('is in an answer only on request, and refused without the layers for it', async () => {
    const coast = coastOf([river, sea]);
    expect(await answerDistance({ lat: 31.5, lng: -81 }, { coast })).not.toHaveProperty('wind_borne_debris');
    await expect(ask(-81, coastOf([river]))).rejects.toThrow('There is no coast "mean_high_water" here; give tidal.');
  });

  it('is one mile, the mile itself within', () => {
    expect(withinDebrisLine({ min: 0, max: 1_609.344 })).toBe(true);
    expect(withinDebrisLine({ min: 1_609.344, max: 2_000 })).toBeNull();
    expect(withinDebrisLine({ min: 1_609.345, max: 2_000 })).toBe(false);
  });
});
