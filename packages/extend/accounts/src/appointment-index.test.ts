import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAppointmentIndex } from './appointment-index.ts';
import type { Appointment, NarrowedCarrier } from './directory.ts';

const carrierKeys = ['bayou_mutual', 'gulf_shield'];
const states = ['fl', 'tx', 'la'];
const policyTypes = ['ho3', 'dp3'];
const days = ['2026-01-01', '2026-06-01', '2027-01-01'];

const someOf = (values: string[]) => fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }));
const anyLimits = {
  carrierKey: fc.constantFrom(...carrierKeys),
  states: someOf(states),
  policyTypes: someOf(policyTypes),
};
const anyAppointment: fc.Arbitrary<Appointment> = fc.record({
  appointmentId: fc.constant('a'),
  ...anyLimits,
  from: fc.option(fc.constantFrom(...days)),
  until: fc.option(fc.constantFrom(...days)),
});
const anyNarrowed: fc.Arbitrary<NarrowedCarrier> = fc.record(anyLimits);

/** Direct implementation: some requested state and product are on both lists. */
function coversBySearch(
  appointments: readonly Appointment[],
  narrowedTo: readonly NarrowedCarrier[] | null,
  wanted: Wanted,
): boolean {
  const holds = (list: readonly string[] | null, value: string) => list === null || list.includes(value);
  for (const state of wanted.state === undefined ? [...states, 'other'] : [wanted.state]) {
    for (const policyType of wanted.policyType === undefined ? [...policyTypes, 'other'] : [wanted.policyType]) {
      const fits = (limits: NarrowedCarrier) =>
        limits.carrierKey === wanted.carrierKey && holds(limits.states, state) && holds(limits.policyTypes, policyType);
      const current = appointments.filter(
        ({ from, until }) => (from === null || wanted.on >= from) && (until === null || wanted.on < until),
      );
      if (current.some(fits) && (narrowedTo === null || narrowedTo.some(fits))) return true;
    }
  }
  return false;
}

interface Wanted {
  readonly carrierKey: string;
  readonly on: string;
  readonly state?: string | undefined;
  readonly policyType?: string | undefined;
}

describe('createAppointmentIndex', () => {
  it('covers what a search through all of it covers', () => {
    const anyWanted: fc.Arbitrary<Wanted> = fc.record({
      carrierKey: fc.constantFrom(...carrierKeys, 'nobody'),
      on: fc.constantFrom('2025-12-31', ...days, '2026-12-31'),
      state: fc.option(fc.constantFrom(...states, 'ny'), { nil: undefined }),
      policyType: fc.option(fc.constantFrom(...policyTypes, 'ho8'), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(anyAppointment),
        fc.option(fc.array(anyNarrowed)),
        anyWanted,
        (appointments, narrowedTo, wanted) => {
          const index = createAppointmentIndex(appointments, narrowedTo);
          const expected = coversBySearch(appointments, narrowedTo, wanted);
          expect(index.covers(wanted)).toBe(expected);
          const { carrierKey, on } = wanted;
          expect(index.carrierKeys(on).includes(carrierKey)).toBe(
            coversBySearch(appointments, narrowedTo, { carrierKey, on }),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('counts the first day and not the last', () => {
    const appointment = { appointmentId: 'a', carrierKey: 'bayou_mutual', states: null, policyTypes: null };
    const index = createAppointmentIndex([{ ...appointment, from: '2026-06-01', until: '2026-07-01' }]);
    const covered = ['2026-05-31', '2026-06-01', '2026-06-30', '2026-07-01'].map((on) => index.carrierKeys(on).length);
    expect(covered).toEqual([0, 1, 1, 0]);
  });

  it('does not mix the states of one appointment with the products of another', () => {
    const at = (states: string[], policyTypes: string[]) => ({
      appointmentId: 'a',
      carrierKey: 'bayou_mutual',
      states,
      policyTypes,
      from: null,
      until: null,
    });
    const index = createAppointmentIndex([at(['fl'], ['ho3']), at(['tx'], ['dp3'])]);
    const wanted = { carrierKey: 'bayou_mutual', on: '2026-01-01' };
    expect(index.covers({ ...wanted, state: 'fl', policyType: 'ho3' })).toBe(true);
    expect(index.covers({ ...wanted, state: 'fl', policyType: 'dp3' })).toBe(false);
  });
});
