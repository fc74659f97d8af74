import { randomBytes } from 'node:crypto';
import { homeSales, type SoldLine, soldLines } from '@leeward/terms';
import { type Access, createAccess } from './administration/access-list.ts';
import { type Administration, createAdministration } from './administration/administration.ts';
import { type AuditTrail, createAuditTrail } from './administration/audit-trail.ts';
import { defaultLimits, type Limits } from './administration/limits.ts';
import type { CarrierCatalog, Services } from './administration/operation.ts';
import { createSignIn, type SessionLimits, type SignIn } from './administration/sign-in.ts';
import type { Directory } from './directory.ts';
import { createIdentifiers } from './identifier.ts';
import type { AccountStore } from './store/account-store.ts';
import { createStoreDirectory, type OrganizationRulesReader } from './store-directory.ts';
import { createLastUse } from './token/last-use.ts';
import { createOperatorToken } from './token/operator-token.ts';
import type { Reminder } from './token/rotation.ts';
import { environmentPattern } from './token/token-text.ts';

/** Options of `createAccounts`. */
export interface AccountsOptions {
  readonly store: AccountStore;
  /** Reads rule sets and overrides for `directory.catalog`: `readOrganizationRules` of `@leeward/registry`. If omitted, there are none. */
  readonly readOrganizationRules?: OrganizationRulesReader | undefined;
  /** Accepted carrier keys. If omitted, any. */
  readonly catalog?: CarrierCatalog | undefined;
  /** Lines other than homes, whose policy types can be appointed. @default [] */
  readonly lines?: readonly SoldLine[] | undefined;
  /** Tokens are valid only in their environment: 1 to 16 lower-case letters and digits. @default 'live' */
  readonly environment?: string | undefined;
  /** Minimum 32 characters. If omitted, there is no such token. */
  readonly operatorToken?: string | undefined;
  /** If omitted, 1,000 teams, 20,000 producers, 5,000 appointments, 5,000 users and 1,000 tokens per organization. */
  readonly limits?: Partial<Limits> | undefined;
  /** Maximum lifetime in days of tokens that are created or rotated. If omitted, tokens may be valid for ever. */
  readonly tokenMaxDays?: number | undefined;
  /** Validity of the tokens of a sign-in. If omitted, an hour, renewable up to 12 hours. */
  readonly sessions?: Partial<SessionLimits> | undefined;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Source of random bytes for secrets. If omitted, that of `node:crypto`. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
}

/** The accounts of an instance. */
export interface Accounts {
  readonly directory: Directory;
  readonly administration: Administration;
  readonly auditTrail: AuditTrail;
  readonly signIn: SignIn;
  /** For restores. */
  readonly access: Access;
  /** Counts valid tokens that are due for rotation, of all organizations. */
  tokenReminders(): Promise<Readonly<Record<Reminder, number>>>;
  /** For packages that add operations. */
  readonly services: Services;
  /** Resolves when pending last uses of tokens are written. Call it before closing the database. */
  settle(): Promise<void>;
}

/**
 * Opens accounts over a store.
 *
 * @throws {TypeError} If the environment has characters that a token cannot hold, the operator token is too short, or `tokenMaxDays` is not a whole number.
 * @example
 * const { directory, administration } = createAccounts({ store: createSqlStore(database) });
 */
export function createAccounts(options: AccountsOptions): Accounts {
  const { store, readOrganizationRules, catalog, environment = 'live', operatorToken, now = Date.now } = options;
  const { tokenMaxDays } = options;
  if (tokenMaxDays !== undefined && !(Number.isInteger(tokenMaxDays) && tokenMaxDays >= 1)) {
    throw new TypeError(`The maximum lifetime of tokens is a whole number of days; this is ${tokenMaxDays}.`);
  }
  if (!environmentPattern.test(environment)) {
    throw new TypeError(
      `An environment is 1 to 16 lower-case letters and digits; this is ${JSON.stringify(environment)}.`,
    );
  }
  const chance = options.randomBytes ?? randomBytes;
  const operator = operatorToken === undefined ? undefined : createOperatorToken(operatorToken, environment);
  const lastUse = createLastUse((uses) => store.recordUses(uses), now);
  const newId = createIdentifiers(now, chance);
  const services: Services = {
    store,
    readOrganizationRules,
    catalog,
    lines: soldLines([homeSales, ...(options.lines ?? [])]),
    environment,
    limits: { ...defaultLimits, ...options.limits },
    tokenMaxDays,
    now,
    newId,
    randomBytes: chance,
  };
  return {
    signIn: createSignIn(services, options.sessions),
    access: createAccess(services),
    auditTrail: createAuditTrail({ store, now, newId }),
    directory: createStoreDirectory({ store, environment, operator, lastUse, now, readOrganizationRules }),
    administration: createAdministration(services),
    tokenReminders: () => store.countReminders({ environment, nowMs: now(), maxDays: tokenMaxDays }),
    services,
    settle: () => lastUse.settle(),
  };
}
