import { handOnPlaces, testEngines } from '@leeward/database/testing';
import type { AccountStore } from '../store/account-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { accountsMigrations } from '../store/migrations.ts';
import { createSqlStore } from '../store/sql-store.ts';

/** A store, and a second connection to it. */
export interface TestStore extends AsyncDisposable {
  readonly store: AccountStore;
  /** Another process's connection; in memory, the same store. */
  readonly second: AccountStore;
}

/** Empty stores of one kind. */
export interface TestStores extends AsyncDisposable {
  create(): Promise<TestStore>;
}

/** Memory, or a database engine. */
export interface StoreKind {
  readonly title: string;
  readonly skip: boolean;
  readonly lasting: boolean;
  open(): TestStores;
}

/**
 * Every store that the suites run on.
 *
 * @example
 * for (const kind of await testStores()) describe.skipIf(kind.skip)(kind.title, () => {});
 */
export async function testStores(): Promise<StoreKind[]> {
  const nothing = async () => {};
  const memory: StoreKind = {
    title: 'memory',
    skip: false,
    lasting: false,
    open: () => ({
      async create() {
        const store = createMemoryStore();
        return { store, second: store, [Symbol.asyncDispose]: nothing };
      },
      [Symbol.asyncDispose]: nothing,
    }),
  };
  const engines = (await testEngines()).map(
    (engine): StoreKind => ({
      title: engine.title,
      skip: engine.skip !== undefined,
      lasting: true,
      open() {
        const places = handOnPlaces(engine, [accountsMigrations]);
        return {
          async create() {
            const place = await places.take();
            const [store, second] = place.databases.map(createSqlStore) as [AccountStore, AccountStore];
            return { store, second, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
          },
          [Symbol.asyncDispose]: () => places[Symbol.asyncDispose](),
        };
      },
    }),
  );
  return [memory, ...engines];
}
