import type { Shoreline } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { METERS_PER_DEGREE, matchShores } from './match-shores.ts';

type Meters = readonly [east: number, north: number];

/** At the equator. */
function shoreOf(...line: readonly Meters[]): Shoreline {
  return {
    name: 'made up',
    version: '',
    attribution: '',
    layerNames: ['tidal'],
    shoreNames: ['shore'],
    water: 'right',
    accuracy: { radiusMeters: [0], method: '' },
    coverage: [],
    positions: Float64Array.from(line.flat(), (meters) => meters / METERS_PER_DEGREE),
    lineStarts: Uint32Array.of(0, line.length),
    layers: new Uint16Array(line.length).fill(1),
    shores: new Uint8Array(line.length),
  };
}

const straight = shoreOf([-5_000, 0], [5_000, 0]);

function supersededOf(shore: Shoreline, other: Shoreline): number[] {
  return [...matchShores(shore, other, 'tidal').superseded].slice(0, -1);
}

describe('the match of two shores', () => {
  it('supersedes a displaced drawing of the same shore', () => {
    expect(supersededOf(shoreOf([-2_000, 400], [0, 450], [2_000, 300]), straight)).toEqual([1, 1]);
  });

  it('keeps a shore beyond the reach', () => {
    expect(supersededOf(shoreOf([-2_000, 700], [2_000, 700]), straight)).toEqual([0]);
  });

  it('keeps the banks of a short inlet that the other shore lacks', () => {
    const inlet = shoreOf([-3_000, 50], [-60, 50], [-60, 550], [60, 550], [60, 50], [3_000, 50]);
    expect(supersededOf(inlet, straight)).toEqual([1, 0, 1, 0, 1]);
  });

  it('keeps a shore that has the water on the other side', () => {
    expect(supersededOf(shoreOf([2_000, 300], [-2_000, 300]), straight)).toEqual([0]);
  });

  it('supersedes a wiggle close to the shore', () => {
    expect(supersededOf(shoreOf([0, -80], [0, 80]), straight)).toEqual([1]);
  });
});
