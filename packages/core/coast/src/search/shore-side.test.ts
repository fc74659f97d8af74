import { describe, expect, it } from 'vitest';
import { writeFrame } from '../earth/ellipsoid.ts';
import { createEarthLines } from '../shoreline/earth-lines.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';
import { shoreSide } from './shore-side.ts';

function shoreOf(positions: readonly number[]): Shoreline {
  const vertices = positions.length / 2;
  return {
    name: 'drawn',
    version: '1',
    attribution: '',
    positions: Float64Array.from(positions),
    lineStarts: Uint32Array.of(0, vertices),
    layerNames: ['tidal'],
    layers: new Uint16Array(vertices).fill(1),
    shoreNames: ['coast'],
    shores: new Uint8Array(vertices),
    water: 'right',
    accuracy: { radiusMeters: [10], method: '' },
    coverage: [],
  };
}

function sideOf(shoreline: Shoreline, vertex: number, latitude: number, longitude: number) {
  const frame = new Float64Array(7);
  writeFrame(frame, latitude, longitude);
  return shoreSide(createEarthLines(shoreline), shoreline.water, vertex, frame[0]!, frame[1]!, frame[2]!);
}

describe('the side of a shore', () => {
  it('is unknown beyond the loose end of a line, but known along it', () => {
    const loose = shoreOf([0, 0, 0, 0.001, 0, 0.002]);
    expect(sideOf(loose, 1, 0.0015, 0.1)).toBe('water');
    expect(sideOf(loose, 1, 0.0015, -0.1)).toBe('land');
    expect(sideOf(loose, 1, 0.05, 0.1)).toBe('unknown');
    expect(sideOf(loose, 0, -0.05, -0.1)).toBe('unknown');
  });

  it('is known at every corner of a closed line', () => {
    const island = shoreOf([0, 0, 0.001, 0, 0.001, 0.001, 0, 0.001, 0, 0]);
    expect(sideOf(island, 0, -0.05, -0.05)).toBe('water');
    expect(sideOf(island, 3, -0.05, -0.05)).toBe('water');
    expect(sideOf(island, 0, 0.0002, 0.0004)).toBe('land');
  });
});
