import type { CarrierAdapter } from '../ports/carrier-adapter.ts';
import type { TeamDirectory } from '../ports/team-directory.ts';

/** `team-1` to `team-9`, each with the producer `agent@example.com` and appointed with all these carriers. */
export function teamsFor(carriers: readonly CarrierAdapter[]): TeamDirectory {
  return {
    hasProducer: async (teamId, email) => /^team-\d$/.test(teamId) && email.toLowerCase() === 'agent@example.com',
    appointments: async () => carriers.map(({ key }) => ({ carrierKey: key })),
  };
}
