import { type TestPlace, testEngines } from '@leeward/database/testing';
import type { AccountStore } from '../store/account-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { accountsMigrations } from '../store/migrations.ts';
import { createSqlStore } from '../store/sql-store.ts';

export interface TestStore extends AsyncDisposable {
  readonly store: AccountStore;
  /** The same accounts through another connection, as another process has them; of memory, itself. */
  readonly second: AccountStore;
  readonly place: TestPlace | undefined;
}

export interface StoreKind {
  readonly title: string;
  readonly skip: boolean;
  /** Whether what is stored outlasts the process. */
  readonly lasting: boolean;
  create(): Promise<TestStore>;
}

/** Every store that the suites run on. */
export async function testStores(): Promise<StoreKind[]> {
  const memory: StoreKind = {
    title: 'memory',
    skip: false,
    lasting: false,
    async create() {
      const store = createMemoryStore();
      return { store, second: store, place: undefined, async [Symbol.asyncDispose]() {} };
    },
  };
  const engines = (await testEngines()).map(
    (engine): StoreKind => ({
      title: engine.title,
      skip: engine.skip !== undefined,
      lasting: true,
      async create() {
        const place = await engine.createPlace();
        const open = async () => createSqlStore(await place.open({ migrations: [accountsMigrations] }));
        const store = await open();
        return { store, second: await open(), place, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
      },
    }),
  );
  return [memory, ...engines];
}
