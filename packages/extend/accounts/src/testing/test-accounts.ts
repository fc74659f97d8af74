import type { Accounts, AccountsOptions } from '../accounts.ts';
import type { Actor } from '../administration/authority.ts';
import { AdministrationError } from '../administration-error.ts';
import type { StoreKind, TestStore, TestStores } from './test-stores.ts';

/** Actor with all rights. */
export const system: Actor = { system: 'command line' };

/** Two unrelated organizations on a store. */
export interface World<A extends Accounts = Accounts> {
  readonly kind: StoreKind;
  readonly stored: TestStore;
  readonly accounts: A;
  /** As another process sees them. */
  readonly elsewhere: A;
  readonly clock: { ms: number };
  readonly ours: Tenant;
  readonly theirs: Tenant;
}

/** An organization of a world. */
export interface Tenant {
  readonly organizationId: string;
  readonly teamId: string;
  /** Has every scope of organizations. */
  readonly admin: Actor;
  readonly adminToken: string;
}

/**
 * Makes a world on a new store.
 *
 * @example
 * await using world = await createWorld(kind, stores, createAccounts);
 */
export async function createWorld<A extends Accounts>(
  kind: StoreKind,
  stores: TestStores,
  open: (options: AccountsOptions) => A,
): Promise<World<A> & AsyncDisposable> {
  const stored = await stores.create();
  const clock = { ms: Date.UTC(2026, 10, 20, 12) };
  const catalog = new Set(['bayou_mutual', 'gulf_shield', 'palm_coast']);
  const openOn = (store: TestStore['store']) => open({ store, catalog, now: () => clock.ms });
  const accounts = openOn(stored.store);
  const createTenant = async (name: string): Promise<Tenant> => {
    const { organizations, teams, tokens } = accounts.administration;
    const { organization_id: organizationId } = await organizations.create.run(system, { name });
    const { team_id: teamId } = await teams.create.run(system, {
      organization_id: organizationId,
      name: 'Personal lines',
    });
    const { token } = await tokens.create.run(system, {
      organization_id: organizationId,
      name: 'administrator',
      scopes: ['underwrite', 'quote', 'insured', 'distance', 'rules', 'admin'],
    });
    const admin = await accounts.directory.authenticate(token);
    if (admin === undefined) throw new Error('The new token is invalid.');
    return { organizationId, teamId, admin, adminToken: token };
  };
  const ours = await createTenant('Suncoast Agency');
  const theirs = await createTenant('Bay Area Agency');
  // Last uses are written in the background; tests compare stored bytes.
  await accounts.settle();
  return {
    kind,
    stored,
    accounts,
    elsewhere: openOn(stored.second),
    clock,
    ours,
    theirs,
    async [Symbol.asyncDispose]() {
      await accounts.settle();
      await stored[Symbol.asyncDispose]();
    },
  };
}

/**
 * @throws {Error} If the operation resolves, or rejects with another error.
 * @example
 * const { code } = await refusal(administration.teams.create.run(admin, {}));
 */
export async function refusal(operation: Promise<unknown>): Promise<AdministrationError> {
  const error = await operation.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AdministrationError) return error;
  throw new Error('Expected a refusal.', { cause: error });
}

/**
 * Faults by place and code: `/states/0 unknown_state`.
 *
 * @example
 * faultsOf(await refusal(administration.teams.create.run(admin, {})));
 */
export function faultsOf(error: AdministrationError): string[] {
  return error.faults.map((fault) => `${fault.path} ${fault.code}`);
}
