import type { Appointment, Caller, Directory, OrganizationRules, Producer, Team } from './directory.ts';
import { isIdentifier } from './identifier.ts';
import type { AccountStore, StoreReader } from './store/account-store.ts';
import type { AppointmentRecord, ProducerRecord, TeamRecord, TokenRecord } from './store/records.ts';
import { isUsable } from './token/is-usable.ts';
import type { LastUse } from './token/last-use.ts';
import type { createOperatorToken } from './token/operator-token.ts';
import { hashMatches, hashToken } from './token/token-hash.ts';
import { readToken } from './token/token-text.ts';
import { emailKey } from './vocabulary/email.ts';
import { scopesOfRoles } from './vocabulary/roles.ts';
import { type Scope, scopesOfOrganizations } from './vocabulary/scopes.ts';

/** Reads the rules of an organization in a consistent read. */
export type OrganizationRulesReader = (reader: StoreReader, organizationId: string) => Promise<OrganizationRules>;

export interface StoreDirectoryOptions {
  readonly store: AccountStore;
  readonly environment: string;
  readonly operator: ReturnType<typeof createOperatorToken> | undefined;
  readonly lastUse: LastUse;
  readonly now: () => number;
  readonly readOrganizationRules: OrganizationRulesReader | undefined;
}

/** Longer texts are not hashed. */
const MAX_TOKEN_LENGTH = 1024;

export function createStoreDirectory(options: StoreDirectoryOptions): Directory {
  const { store, environment, operator, lastUse, now, readOrganizationRules } = options;
  const { reader } = store;
  return {
    async authenticate(text) {
      if (typeof text !== 'string' || text.length > MAX_TOKEN_LENGTH) return undefined;
      const presented = hashToken(text);
      const host = operator?.(presented);
      if (host !== undefined) return host;
      const parts = readToken(text);
      if (parts === undefined) return undefined;
      const token = await reader.get('tokens', parts.tokenId);
      if (!hashMatches(presented, token?.secret_hash) || token === undefined) return undefined;
      if (token.environment !== environment || !isUsable(token, now())) return undefined;
      const scopes = token.user_id === null ? token.scopes : await scopesWithUser(reader, token);
      if (scopes.length === 0) return undefined;
      lastUse.note(token.token_id, token.last_used_at);
      return callerOf(token, scopes);
    },
    async catalogStamp(organizationId) {
      if (!isIdentifier(organizationId)) return undefined;
      return (await reader.get('organizations', organizationId))?.catalog_stamp;
    },
    async catalog(organizationId) {
      if (!isIdentifier(organizationId)) return undefined;
      return store.read(async (moment) => {
        const organization = await moment.get('organizations', organizationId);
        if (organization === undefined) return undefined;
        const where = { organization_id: organizationId };
        const rules = (await readOrganizationRules?.(moment, organizationId)) ?? noRules;
        return {
          organizationId,
          name: organization.name,
          stamp: organization.catalog_stamp,
          appointments: (await moment.list('appointments', { where })).map(appointmentOf),
          carriers: rules.carriers,
          overrides: rules.overrides,
        };
      });
    },
    async organization(organizationId) {
      if (!isIdentifier(organizationId)) return undefined;
      const organization = await reader.get('organizations', organizationId);
      return organization && { organizationId: organization.organization_id, name: organization.name };
    },
    async team(teamId) {
      if (!isIdentifier(teamId)) return undefined;
      const team = await reader.get('teams', teamId);
      return team && teamOf(team);
    },
    async user(userId) {
      if (!isIdentifier(userId)) return undefined;
      const user = await reader.get('users', userId);
      return user && { userId: user.user_id, name: user.name };
    },
    async producer(teamId, email) {
      if (!isIdentifier(teamId) || typeof email !== 'string') return undefined;
      const key = emailKey(email);
      // Such a text cannot be stored.
      if (key.includes('\0') || !key.isWellFormed() || key.length > 500) return undefined;
      const [producer] = await reader.list('producers', { where: { team_id: teamId, email_key: key }, limit: 1 });
      return producer && producerOf(producer);
    },
  };
}

const noRules = { carriers: [], overrides: [] } as const;

/** None if the person is disabled or removed, or has lost the roles. */
async function scopesWithUser(reader: StoreReader, token: TokenRecord): Promise<readonly Scope[]> {
  const user = await reader.get('users', token.user_id!);
  if (user?.status !== 'active') return [];
  // Operators give tokens to organizations.
  const allowed =
    user.organization_id === null && token.organization_id !== null
      ? new Set(scopesOfOrganizations)
      : scopesOfRoles(user.roles, token.team_id);
  return token.scopes.filter((scope) => allowed.has(scope));
}

function callerOf(token: TokenRecord, scopes: readonly Scope[]): Caller {
  return {
    tokenId: token.token_id,
    name: token.name,
    environment: token.environment,
    scopes: new Set(scopes),
    organizationId: token.organization_id,
    teamId: token.team_id,
    userId: token.user_id,
    networks: token.networks,
  };
}

function appointmentOf(record: AppointmentRecord): Appointment {
  return {
    appointmentId: record.appointment_id,
    carrierKey: record.carrier_key,
    states: record.states,
    policyTypes: record.policy_types,
    from: record.from,
    until: record.until,
  };
}

function teamOf(record: TeamRecord): Team {
  return {
    teamId: record.team_id,
    organizationId: record.organization_id,
    name: record.name,
    narrowedTo:
      record.narrowed_to?.map((narrowed) => ({
        carrierKey: narrowed.carrier_key,
        states: narrowed.states,
        policyTypes: narrowed.policy_types,
      })) ?? null,
  };
}

function producerOf(record: ProducerRecord): Producer {
  return {
    producerId: record.producer_id,
    teamId: record.team_id,
    email: record.email,
    name: record.name,
    licensedStates: record.licensed_states,
  };
}
