import { afterAll, describe, expect, it } from 'vitest';
import { type Accounts, createAccounts } from '../accounts.ts';
import type { Actor } from '../administration/authority.ts';
import type { Limits } from '../administration/limits.ts';
import type { ApprovalRules } from '../administration/rule-sets/approval-rules.ts';
import { AdministrationError } from '../administration-error.ts';
import { testRules } from './test-rules.ts';
import { type StoreKind, type TestStore, type TestStores, testStores } from './test-stores.ts';

export const system: Actor = { system: 'command line' };

/** An instance with two unrelated organizations, on one of the stores. */
export interface World {
  readonly kind: StoreKind;
  readonly stored: TestStore;
  readonly accounts: Accounts;
  /** These accounts as seen by another process. */
  readonly elsewhere: Accounts;
  readonly clock: { ms: number };
  readonly ours: Tenant;
  readonly theirs: Tenant;
}

export interface Tenant {
  readonly organizationId: string;
  readonly teamId: string;
  /** Holds every scope that an organization may have. */
  readonly admin: Actor;
  readonly adminToken: string;
}

export interface WorldOptions {
  readonly limits?: Partial<Limits>;
  readonly approval?: Partial<ApprovalRules>;
}

async function createWorld(
  kind: StoreKind,
  stores: TestStores,
  options: WorldOptions = {},
): Promise<World & AsyncDisposable> {
  const stored = await stores.create();
  const clock = { ms: Date.UTC(2026, 10, 20, 12) };
  const catalogKeys = new Set(['bayou_mutual', 'gulf_shield', 'palm_coast']);
  const open = (store: TestStore['store']) =>
    createAccounts({ store, rules: testRules, catalog: catalogKeys, now: () => clock.ms, ...options });
  const accounts = open(stored.store);
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
      scopes: ['underwrite', 'quote', 'distance', 'admin'],
    });
    const admin = await accounts.directory.authenticate(token);
    if (admin === undefined) throw new Error('The token just made is not known.');
    return { organizationId, teamId, admin, adminToken: token };
  };
  const ours = await createTenant('Suncoast Agency');
  const theirs = await createTenant('Bay Area Agency');
  // Uses of tokens are written in the background, and a test may compare what is stored before and after.
  await accounts.settle();
  return {
    kind,
    stored,
    accounts,
    elsewhere: open(stored.second),
    clock,
    ours,
    theirs,
    async [Symbol.asyncDispose]() {
      await accounts.settle();
      await stored[Symbol.asyncDispose]();
    },
  };
}

const kinds = await testStores();

/** Runs tests on every store. Each test gets a new world. */
export function describeOnStores(
  title: string,
  body: (test: (name: string, work: (world: World) => Promise<void>, options?: WorldOptions) => void) => void,
): void {
  for (const kind of kinds) {
    describe.skipIf(kind.skip)(`${title} on ${kind.title}`, () => {
      const stores = kind.open();
      afterAll(() => stores[Symbol.asyncDispose]());
      body((name, work, options) =>
        it(name, async () => {
          await using world = await createWorld(kind, stores, options);
          await work(world);
        }),
      );
    });
  }
}

/** The error that an operation rejects with. */
export async function refusal(operation: Promise<unknown>): Promise<AdministrationError> {
  const error = await operation.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AdministrationError);
  return error as AdministrationError;
}

/** Its faults, shortly: `/states/0 unknown_state`. */
export function faultsOf(error: AdministrationError): string[] {
  return error.faults.map((fault) => `${fault.path} ${fault.code}`);
}
