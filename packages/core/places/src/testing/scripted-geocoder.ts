import type { Address } from '../address/address.ts';
import type { Geocode, Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';

/** `hang` waits for its signal, `hang deaf` forever. */
export type ScriptStep = GeocoderAnswer | Error | 'hang' | 'hang deaf';

/** Records its calls. */
export interface ScriptedGeocoder extends Geocoder {
  readonly calls: readonly Address[];
}

/**
 * Creates a geocoder with one step per call; it repeats the last.
 * @example
 * createScriptedGeocoder('script', new Error('down'), foundAnswer({ geocoder: 'script' }));
 */
export function createScriptedGeocoder(
  name: string,
  ...steps: readonly [ScriptStep, ...ScriptStep[]]
): ScriptedGeocoder {
  const calls: Address[] = [];
  return {
    name,
    calls,
    async geocode(address, { signal } = {}) {
      const step = steps[Math.min(calls.length, steps.length - 1)]!;
      calls.push(address);
      signal?.throwIfAborted();
      if (step instanceof Error) throw step;
      if (step !== 'hang' && step !== 'hang deaf') return step;
      return new Promise((_, reject) => {
        if (step === 'hang') signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
  };
}

/**
 * Returns a `found` answer in Miami Beach, with these parts replaced.
 * @example
 * foundAnswer({ geocoder: 'script', precision: 'street' });
 */
export function foundAnswer(parts: Partial<Geocode> & Pick<Geocode, 'geocoder'>): GeocoderAnswer {
  return {
    status: 'found',
    geocode: {
      latitude: 25.7891,
      longitude: -80.1299,
      precision: 'rooftop',
      errorRadiusMeters: 30,
      matchedAddress: '1600 Ocean Dr, Miami Beach, FL 33139',
      unmatched: [],
      ...parts,
    },
  };
}
