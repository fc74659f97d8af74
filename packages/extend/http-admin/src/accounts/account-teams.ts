import { createAppointmentIndex, type Directory } from '@leeward/accounts';
import type { TeamDirectory } from '@leeward/quotes';

/**
 * Teams, producers and appointments for quoting, from accounts. A team can narrow the appointments of its organization, not widen
 * them.
 *
 * @example
 * createQuotes({ database, queue, carriers, teams: createAccountTeams(accounts.directory) });
 */
export function createAccountTeams(directory: Directory, clock: () => Date = () => new Date()): TeamDirectory {
  return {
    hasProducer: async (teamId, email) => (await directory.producer(teamId, email)) !== undefined,
    isRemoved: async (teamId) => (await directory.team(teamId)) === undefined,
    licensedStates: async (teamId, email) => (await directory.producer(teamId, email))?.licensedStates ?? null,
    async appointments(teamId) {
      const team = await directory.team(teamId);
      const rules = team && (await directory.catalog(team.organizationId));
      if (!team || !rules) return [];
      const on = clock().toISOString().slice(0, 10);
      const index = createAppointmentIndex(rules.appointments, team.narrowedTo);
      const narrowed = team.narrowedTo ?? [];
      return rules.appointments
        .filter(({ carrierKey, from, until }) => {
          const isCurrent = (from === null || from <= on) && (until === null || on < until);
          return isCurrent && index.covers({ carrierKey, on });
        })
        .flatMap(({ carrierKey, states, policyTypes }) => {
          const teamLimits = narrowed.filter((each) => each.carrierKey === carrierKey);
          const limits = team.narrowedTo === null ? [{ states: null, policyTypes: null }] : teamLimits;
          return limits.map((limit) => ({
            carrierKey,
            states: both(states, limit.states),
            formTypes: both(policyTypes, limit.policyTypes),
          }));
        });
    },
  };
}

/** Intersection of two lists; null stands for all. */
function both(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | undefined {
  if (a === null) return b ?? undefined;
  return b === null ? a : a.filter((each) => b.includes(each));
}
