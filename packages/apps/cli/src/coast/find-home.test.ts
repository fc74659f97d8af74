import { GeocoderUnavailableError } from '@leeward/places';
import { createScriptedGeocoder, foundAnswer, type ScriptStep } from '@leeward/places/testing';
import { describe, expect, it } from 'vitest';
import { createHomeFinder, type FindHomeOptions } from './find-home.ts';

const away = new GeocoderUnavailableError('script', 'bad_status', 'the server answered with status 500.');
const house = foundAnswer({ geocoder: 'script' });
const home = (line: number) => ({ line, cells: [], request: { address: '1600 Ocean Dr, Miami Beach FL 33139' } });

function finder(steps: readonly [ScriptStep, ...ScriptStep[]], options: Partial<FindHomeOptions> = {}) {
  const geocoder = createScriptedGeocoder('script', ...steps);
  const { signal } = new AbortController();
  const find = createHomeFinder({ ports: { geocoder }, acceptCoarse: false, signal, pausesMs: [1, 1, 1], ...options });
  return { find, geocoder };
}

describe('a home whose geocoder is away', () => {
  it('is located by a retry', async () => {
    const { find, geocoder } = finder([away, away, house]);
    expect(await find(home(2))).toMatchObject({ place: { precision: 'rooftop' } });
    expect(geocoder.calls).toHaveLength(3);
  });

  it('stops the run if the geocoder stays away', async () => {
    const { find, geocoder } = finder([house, away]);
    await find(home(2));
    await expect(find(home(3))).rejects.toMatchObject({ name: 'GeocoderOutage', line: 3 });
    expect(geocoder.calls).toHaveLength(5);
  });

  it('reports its problem if other homes were answered meanwhile', async () => {
    const { find } = finder([away, house, away, away, away]);
    const [first, second] = await Promise.all([find(home(2)), find(home(3))]);
    expect(first).toMatchObject({ problem: { code: 'unavailable' } });
    expect(second).toMatchObject({ place: { precision: 'rooftop' } });
  });

  it('is not retried if a coarse place suffices', async () => {
    const { find, geocoder } = finder([away], { acceptCoarse: true });
    expect(await find(home(2))).toMatchObject({ problem: { code: 'unavailable' } });
    expect(geocoder.calls).toHaveLength(1);
  });

  it('is skipped at once when the run is stopped', async () => {
    const controller = new AbortController();
    const { find } = finder(['hang'], { signal: controller.signal });
    const waiting = find(home(2));
    controller.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });
});
