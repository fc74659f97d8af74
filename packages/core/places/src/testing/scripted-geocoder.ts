import type { Address } from '../address/address.ts';
import type { Geocode, Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';

/** What a scripted geocoder does next: answers, throws, or never answers (`hang`) until its signal is aborted. */
export type ScriptStep = GeocoderAnswer | Error | 'hang' | 'hang deaf';

/** A geocoder that answers as a test says, and remembers what it was asked. */
export interface ScriptedGeocoder extends Geocoder {
  /** The addresses asked for so far. */
  readonly asked: readonly Address[];
}

/** A geocoder that does as told, one step a request and the last step ever after. For tests of what stands round geocoders. */
export function createScriptedGeocoder(
  name: string,
  ...steps: readonly [ScriptStep, ...ScriptStep[]]
): ScriptedGeocoder {
  const asked: Address[] = [];
  return {
    name,
    asked,
    async geocode(address, { signal } = {}) {
      const step = steps[Math.min(asked.length, steps.length - 1)]!;
      asked.push(address);
      signal?.throwIfAborted();
      if (step instanceof Error) throw step;
      if (step !== 'hang' && step !== 'hang deaf') return step;
      return new Promise((_, reject) => {
        if (step === 'hang') signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
  };
}

/** An answer with this place, in Miami Beach where not said otherwise. */
export function found(parts: Partial<Geocode> & Pick<Geocode, 'geocoder'>): GeocoderAnswer {
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
