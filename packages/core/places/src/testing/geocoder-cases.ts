import assert from 'node:assert/strict';
import type { Address } from '../address/address.ts';
import type { Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { checkAnswer } from './check-answer.ts';
import type { ConformanceCase } from './conformance-case.ts';

/** What the suite tries: a new geocoder each time. */
export interface GeocoderSubject {
  /** A geocoder that answers without a network, or through a server of the test's own. */
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

/** What every geocoder holds to, whatever it finds. */
export function geocoderCases(subject: GeocoderSubject): readonly ConformanceCase[] {
  return [
    {
      name: 'has a name that can stand in an answer',
      async run() {
        assert.match((await subject.create()).name, /^[a-z][a-z0-9_]*$/);
      },
    },
    {
      name: 'answers any address as the port says, or is unavailable',
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
      name: 'ends with the reason of a signal that was aborted before',
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
