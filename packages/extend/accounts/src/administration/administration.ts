import type { Operation, Services } from './operation.ts';
import { createAppointments } from './resources/appointments.ts';
import { createAudit } from './resources/audit.ts';
import { createOrganizations } from './resources/organizations.ts';
import { createProducers } from './resources/producers.ts';
import { createTeams } from './resources/teams.ts';
import { createTokens } from './resources/tokens.ts';
import { createUsers } from './resources/users.ts';

/** Operations by resource. */
export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration(services: Services) {
  const resources = {
    organizations: createOrganizations(services),
    teams: createTeams(services),
    producers: createProducers(services),
    appointments: createAppointments(services),
    users: createUsers(services),
    tokens: createTokens(services),
    audit: createAudit(services),
  };
  const operations = Object.values(resources).flatMap((resource): readonly Operation[] => Object.values(resource));
  return {
    ...resources,
    /** All of them, for a server to mount. */
    operations,
  };
}
