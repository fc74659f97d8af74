import type { Appointment, NarrowedCarrier } from './directory.ts';

/** A product in a state. A missing state or product matches any. */
export interface AppointmentQuery {
  readonly carrierKey: string;
  /** Date of the sale, `YYYY-MM-DD`. */
  readonly on: string;
  /** Lower-case abbreviation. */
  readonly state?: string | undefined;
  readonly policyType?: string | undefined;
}

/** The appointments of one organization, for looking one up: dates are `YYYY-MM-DD`. */
export interface AppointmentIndex {
  /** True if an appointment covers this and the team's list includes it. */
  covers(query: AppointmentQuery): boolean;
  /** The carriers for which `covers` could be true on a date, sorted. */
  carrierKeys(on: string): string[];
}

/**
 * The appointments of an organization, by carrier. Several for one carrier add up; a team's list only takes away.
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
    // One pair must fit in both: states of the one and products of the other would be a third thing.
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
