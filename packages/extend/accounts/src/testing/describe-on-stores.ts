import { afterAll, describe, it } from 'vitest';
import { createAccounts } from '../accounts.ts';
import type { Limits } from '../administration/limits.ts';
import { createWorld, type World } from './test-accounts.ts';
import { testStores } from './test-stores.ts';

interface WorldOptions {
  readonly limits?: Partial<Limits>;
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
          await using world = await createWorld(kind, stores, (settings) =>
            createAccounts({ ...settings, ...options }),
          );
          await work(world);
        }),
      );
    });
  }
}
