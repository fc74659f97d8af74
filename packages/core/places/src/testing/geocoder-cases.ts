import assert from 'node:assert/strict';
import type { Address } from '../address/address.ts';
import type { Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { checkAnswer } from './check-answer.ts';
import type { ConformanceCase } from './conformance-case.ts';

/** The geocoder under test. */
export interface GeocoderSubject {
  /** Answers offline or through a server of the test. */
  create(): Promise<Geocoder> | Geocoder;
}

const none: Address = { line1: undefined, city: undefined, state: undefined, zip: undefined };

const addresses: readonly Address[] = [
  { line1: '1600 Ocean Dr', city: 'Miami Beach', state: 'fl', zip: '33139' },
  { ...none, zip: '33139' },
  { ...none, city: 'Springfield', state: 'il' },
  { ...none, zip: '00000' },
  { line1: 'Calle Loíza 1234', city: 'San Juan', state: 'pr', zip: '00911' },
  { line1: '__proto__', city: 'constructor', state: 'fl', zip: '33139' },
  { line1: `1 ${'x'.repeat(490)}`, city: 'y'.repeat(490), state: 'tx', zip: undefined },
  { line1: '1 \u202eMain\u0000 St🏠', city: "O'Fallon; DROP TABLE address", state: 'mo', zip: '63366' },
  { line1: '%s%n ../../etc/passwd?x=1&y=2#z', city: '"\\', state: 'ny', zip: undefined },
];

/**
 * Returns test cases of the `Geocoder` contract.
 * @example
 * for (const { name, run } of geocoderCases({ create: () => myGeocoder })) it(name, run);
 */
export function geocoderCases(subject: GeocoderSubject): readonly ConformanceCase[] {
  return [
    {
      name: 'has a name in lower case with underscores',
      async run() {
        assert.match((await subject.create()).name, /^[a-z][a-z0-9_]*$/);
      },
    },
    {
      name: 'answers any address by the contract, or is unavailable',
      async run() {
        const geocoder = await subject.create();
        for (const address of addresses) {
          try {
            checkAnswer(geocoder, await geocoder.geocode(address));
          } catch (error) {
            if (!(error instanceof GeocoderUnavailableError)) throw error;
          }
        }
      },
    },
    {
      name: 'rejects with the reason of a signal that is already aborted',
      async run() {
        const reason = new Error('The caller is gone.');
        const geocoder = await subject.create();
        for (const address of addresses.slice(0, 3)) {
          await assert.rejects(
            geocoder.geocode(address, { signal: AbortSignal.abort(reason) }),
            (error) => error === reason,
          );
        }
      },
    },
  ];
}
