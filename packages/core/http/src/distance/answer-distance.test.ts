import { buildCoastIndex, createCoast, type Shoreline } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problem/problem.ts';
import { answerDistance } from './answer-distance.ts';
import { type CoastPort, nearestShore } from './coast-port.ts';
import type { DistancePorts } from './distance-ports.ts';

/** A meridian of the layers named, off the coast of Georgia; the first layer alone has lines. */
function portsOf(layerNames: readonly string[]): DistancePorts {
  const shoreline: Shoreline = {
    name: 'county',
    version: '2026',
    attribution: 'a county',
    positions: Float64Array.of(-81, 31, -81, 32),
    lineStarts: Uint32Array.of(0, 2),
    layerNames,
    layers: new Uint16Array(2).fill(1),
    shoreNames: ['Atlantic'],
    shores: new Uint8Array(2),
    water: 'unknown',
    accuracy: { radiusMeters: layerNames.map(() => 10), method: '' },
    coverage: [],
  };
  return { coast: createCoast(buildCoastIndex(shoreline)) };
}

const home = { lat: 31.5, lng: -81.1 };

async function refusal(request: object, ports: DistancePorts): Promise<Problem> {
  const thrown = await answerDistance(request, ports).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Problem);
  return thrown as Problem;
}

describe('a distance by a coastline of one’s own', () => {
  it('refuses a layer that it lacks, and names those there are', async () => {
    for (const coast of ['ocean', 'lagoon', 'neighbour', '__proto__']) {
      const { code, options } = await refusal({ ...home, coast }, portsOf(['tidal', 'neighbour']));
      expect(code).toBe('invalid_request');
      expect(options.errors).toMatchObject([{ path: '/coast', code: 'unknown_coast' }]);
      expect(options.errors![0]!.message).toContain('give tidal.');
    }
  });

  it('refuses a layer that it names and has no line of', async () => {
    const { options } = await refusal({ ...home, coast: 'great_lakes' }, portsOf(['tidal', 'great_lakes']));
    expect(options.errors).toMatchObject([{ path: '/coast', code: 'unknown_coast' }]);
  });

  it('knows a layer however it is spelled, and takes tidal where none is named', async () => {
    for (const coast of ['mean_high_water', ' Mean High-Water ']) {
      expect((await answerDistance({ ...home, coast }, portsOf(['mean_high_water']))).coast_definition).toBe(
        'mean_high_water',
      );
    }
    for (const coast of [undefined, null, '', '  ']) {
      expect((await answerDistance({ ...home, coast }, portsOf(['tidal']))).coast_definition).toBe('tidal');
    }
    const { options } = await refusal(home, portsOf(['mean_high_water']));
    expect(options.errors).toMatchObject([{ path: '/coast', code: 'unknown_coast' }]);
  });

  it('uses the distance ± its accuracy for a coast without intervals', async () => {
    const { coast } = portsOf(['tidal']);
    const hosts: CoastPort = {
      datasets: coast.datasets,
      nearest(...asked) {
        const {
          minMeters: _min,
          maxMeters: _max,
          decidedBy: _by,
          isTidalRiverPossible: _is,
          ...answer
        } = { ...nearestShore(coast, ...asked) };
        return answer;
      },
    };
    const answer = await answerDistance(home, { coast: hosts });
    expect(answer).toEqual(await answerDistance(home, { coast }));
    expect(answer.range_meters.max - answer.range_meters.min).toBeCloseTo(20, 6);
  });
});
