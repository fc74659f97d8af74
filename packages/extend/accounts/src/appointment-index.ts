import type { Appointment, NarrowedCarrier } from './directory.ts';

/** A missing state or product matches any. */
export interface AppointmentQuery {
  readonly carrierKey: string;
  /** `YYYY-MM-DD`. */
  readonly on: string;
  /** Lower-case abbreviation. */
  readonly state?: string | undefined;
  readonly policyType?: string | undefined;
}

/** Looks up the appointments of one organization. */
export interface AppointmentIndex {
  covers(query: AppointmentQuery): boolean;
  /** Sorted carriers for which `covers` can be true on a date. */
  carrierKeys(on: string): string[];
}

/**
 * Indexes appointments by carrier. Several for one carrier add up; a team's list only takes away.
 *
 * @example
 * const index = createAppointmentIndex(catalog.appointments, team.narrowedTo);
 * index.covers({ carrierKey: 'bluestem', on: '2026-12-01', state: 'fl', policyType: 'ho3' });
 */
export function createAppointmentIndex(
  appointments: readonly Appointment[],
  narrowedTo: readonly NarrowedCarrier[] | null = null,
): AppointmentIndex {
  const byCarrier = Map.groupBy(appointments, (appointment) => appointment.carrierKey);
  const narrowedByCarrier =
    narrowedTo === null ? undefined : Map.groupBy(narrowedTo, (narrowed) => narrowed.carrierKey);
  const covers = (query: AppointmentQuery): boolean => {
    const { carrierKey } = query;
    const candidates = (byCarrier.get(carrierKey) ?? []).filter((appointment) => isCurrent(appointment, query.on));
    const keeping = narrowedByCarrier === undefined ? [unlimited] : (narrowedByCarrier.get(carrierKey) ?? []);
    // States of one pair and products of another do not combine.
    return candidates.some((appointment) => keeping.some((narrowed) => fits([appointment, narrowed], query)));
  };
  return {
    covers,
    carrierKeys: (on) => [...byCarrier.keys()].filter((carrierKey) => covers({ carrierKey, on })).sort(),
  };
}

interface Limits {
  readonly states: readonly string[] | null;
  readonly policyTypes: readonly string[] | null;
}

const unlimited: Limits = { states: null, policyTypes: null };

function isCurrent({ from, until }: Appointment, on: string): boolean {
  return (from === null || from <= on) && (until === null || on < until);
}

function fits(limits: readonly Limits[], { state, policyType }: AppointmentQuery): boolean {
  const lists = [limits.map((limit) => limit.states), limits.map((limit) => limit.policyTypes)];
  return [state, policyType].every((value, index) => {
    const limitLists = lists[index]!.filter((list) => list !== null);
    if (value !== undefined) return limitLists.every((list) => list.includes(value));
    const [first = [], ...others] = limitLists;
    return limitLists.length === 0 || first.some((candidate) => others.every((list) => list.includes(candidate)));
  });
}
