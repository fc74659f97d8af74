import {
  type Accounts,
  type AccountsOptions,
  type Administration,
  createAccounts,
  type Limits,
} from '@leeward/accounts';
import { createWorld, testStores, type World as WorldOf } from '@leeward/accounts/testing';
import { afterAll, describe, it } from 'vitest';
import { readOrganizationRules } from '../organization-rules/read-organization-rules.ts';
import { createRegistry, type Registry, type RegistryAdministration } from '../registry.ts';
import type { ApprovalRules } from '../rule-sets/approval-rules.ts';
import type { RegistryLimits } from '../rule-sets/services.ts';
import { testRules } from './test-rules.ts';

export interface TestAccounts extends Accounts {
  readonly administration: Administration & RegistryAdministration;
  readonly registry: Registry;
}

export type World = WorldOf<TestAccounts>;

interface WorldOptions {
  readonly limits?: Partial<Limits & RegistryLimits>;
  readonly approval?: Partial<ApprovalRules>;
}

export function openTestAccounts(options: AccountsOptions, rest: WorldOptions = {}): TestAccounts {
  const accounts = createAccounts({ ...options, limits: rest.limits, readOrganizationRules });
  const registry = createRegistry({ accounts, rules: testRules, ...rest });
  const operations = [...accounts.administration.operations, ...registry.administration.operations];
  return {
    ...accounts,
    registry,
    administration: { ...accounts.administration, ...registry.administration, operations },
  };
}

const kinds = await testStores();

/** Each test gets a new world. */
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
          await using world = await createWorld(kind, stores, (settings) => openTestAccounts(settings, options));
          await work(world);
        }),
      );
    });
  }
}
