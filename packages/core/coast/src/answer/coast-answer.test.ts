import { describe, expect, it } from 'vitest';
import { buildCoastIndex } from '../search/coast-index.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';
import { createCoastAnswer } from './coast-answer.ts';
import { createCoast } from './create-coast.ts';

function meridian(longitude: number, radiusMeters: number, probability?: number): Shoreline {
  return {
    name: `line at ${longitude}`,
    version: '1',
    attribution: 'made up',
    layerNames: ['tidal'],
    shoreNames: ['shore'],
    // Land is in the east.
    water: 'left',
    accuracy: {
      radiusMeters: [radiusMeters],
      ...(probability === undefined ? {} : { probabilities: [probability] }),
      method: 'made up',
    },
    coverage: [],
    positions: Float64Array.of(longitude, -1, longitude, 1),
    lineStarts: Uint32Array.of(0, 2),
    layers: Uint16Array.of(1, 0),
    shores: new Uint8Array(2),
  };
}

const home = { latitude: 0, longitude: 0.01 };
const shore = buildCoastIndex(meridian(0, 100));

describe('an answer', () => {
  const answer = createCoast(shore).nearest(home);

  it('has a probability within a distance, and bounds for a certainty', () => {
    const { distanceMeters } = answer;
    expect(answer.probabilityWithin(distanceMeters)).toBeCloseTo(0.5, 9);
    expect(answer.probabilityWithin(distanceMeters + 100)).toBeCloseTo(0.975, 9);
    expect(answer.probabilityWithin(distanceMeters - 100)).toBeCloseTo(0.025, 9);
    const { minMeters, maxMeters } = answer.intervalAt(0.95);
    expect(maxMeters).toBeLessThan(answer.maxMeters);
    expect(minMeters).toBeGreaterThan(answer.minMeters);
    expect(maxMeters - distanceMeters).toBeCloseTo(distanceMeters - minMeters, 1);
    expect(answer.intervalAt(0.999).maxMeters).toBeGreaterThan(answer.maxMeters);
    for (const certainty of [0.49, 1, Number.NaN]) {
      expect(() => answer.intervalAt(certainty)).toThrow(`certainty is ${certainty}; expected 0.5 or more`);
    }
    expect(() => answer.probabilityWithin(Number.NaN)).toThrow('a distance of NaN');
    expect(() => answer.probabilityWithin('300' as unknown as number)).toThrow('a distance of 300');
  });

  it('is plain data for JSON, clones, spreads and tests', () => {
    const data = { ...answer };
    expect(structuredClone(answer)).toEqual(data);
    expect(JSON.parse(JSON.stringify(answer))).toEqual(data);
    expect(answer).toEqual(data);
    expect(Object.values(data).some((value) => typeof value === 'function')).toBe(false);
    const again = createCoastAnswer(structuredClone(data));
    expect(again.probabilityWithin(1_000)).toBe(answer.probabilityWithin(1_000));
  });

  it('keeps its probabilities when other fields change, within the new interval', () => {
    const changed = answer.with({ minMeters: 0, maxMeters: 2_000, shore: 'other' });
    expect(changed.shore).toBe('other');
    expect(changed.probabilityWithin(1_100)).toBe(answer.probabilityWithin(1_100));
    const narrowed = answer.with({ minMeters: 1_090, maxMeters: 1_095 });
    expect(narrowed.probabilityWithin(1_096)).toBeGreaterThanOrEqual(0.95);
    expect(narrowed.probabilityWithin(1_089)).toBeLessThanOrEqual(0.05);
  });

  it('does not depend on later questions', () => {
    const coast = createCoast(shore);
    const first = coast.nearest(home);
    coast.nearest({ latitude: 0.5, longitude: 0.5 });
    expect(first.probabilityWithin(1_120)).toBe(answer.probabilityWithin(1_120));
    expect(coast.nearestSeveral(home, 1)[0]!.probabilityWithin(1_120)).toBe(answer.probabilityWithin(1_120));
  });
});

describe('the probability of tidal waters', () => {
  // Tidal waters are straight chords: a long one would be below the ground.
  const river = (probability: number): Shoreline => ({
    ...meridian(0.006, 50, probability),
    positions: Float64Array.of(0.006, -0.005, 0.006, 0.005),
  });
  const waters = (probability: number) => ({ certain: [], possible: [river(probability)] });

  it('is that of their layer', () => {
    const alone = createCoast(shore).nearest(home);
    for (const probability of [0, 0.04, 0.25, 1]) {
      const answer = createCoast(shore, waters(probability)).nearest(home);
      // An interval of 95 % leaves out what is less probable than 5 %.
      const minMeters = probability < 0.05 ? alone.minMeters : alone.distanceMeters * 0.4 - 50;
      expect(answer.minMeters).toBeCloseTo(minMeters, 1);
      expect(answer.isTidalRiverPossible).toBe(probability > 0.05);
      expect(answer.probabilityWithin(700)).toBeCloseTo(probability, 2);
      const within = answer.probabilityWithin(1_150);
      expect(within).toBeCloseTo(1 - (1 - alone.probabilityWithin(1_150)) * (1 - probability), 2);
    }
  });

  it('ignores segments without a layer', () => {
    const gap: Shoreline = {
      ...river(1),
      positions: Float64Array.of(0.006, 0.05, 0.0099, 0.001, 0.0099, -0.001, 0.006, -0.05),
      lineStarts: Uint32Array.of(0, 4),
      layers: Uint16Array.of(1, 0, 1, 0),
      shores: new Uint8Array(4),
    };
    const answer = createCoast(shore, { certain: [gap], possible: [] }).nearest(home);
    expect(answer.distanceMeters).toBeGreaterThan(110);
    expect(answer.distanceMeters).toBeLessThan(112);
    expect(answer.minMeters).toBeGreaterThan(60);
  });

  it('does not count in the water', () => {
    const sea = { latitude: 0, longitude: -0.001 };
    expect(createCoast(shore).nearest(sea).side).toBe('water');
    const answer = createCoast(shore, waters(1)).nearest(sea);
    expect(answer.probabilityWithin(200)).toBe(createCoast(shore).nearest(sea).probabilityWithin(200));
  });

  it('is that of the nearest stretch of a layer, not of their number', () => {
    const one = river(0.4);
    const positions = Array.from({ length: 60 }, (_, at) => [0.006, (at - 30) / 1_000]).flat();
    const many: Shoreline = {
      ...one,
      positions: Float64Array.from(positions),
      lineStarts: Uint32Array.of(0, 60),
      layers: new Uint16Array(60).fill(1),
      shores: new Uint8Array(60),
    };
    const of = (line: Shoreline) => createCoast(shore, { certain: [], possible: [line] }).nearest(home);
    expect(of(many).probabilityWithin(600)).toBeCloseTo(of(one).probabilityWithin(600), 3);
  });
});

describe('within', () => {
  const coast = createCoast(shore);
  it('returns yes, no or undecided by the interval', () => {
    const { minMeters, maxMeters } = coast.nearest(home);
    expect([maxMeters, maxMeters - 1, minMeters, minMeters - 1].map((meters) => coast.within(home, meters))).toEqual([
      'yes',
      'undecided',
      'undecided',
      'no',
    ]);
    expect(coast.within([0.01, 0], 1e9, 'tidal')).toBe('yes');
    expect(() => coast.within(home, Number.NaN)).toThrow('a distance of NaN');
  });
});
