export { createWorld, faultsOf, refusal, system, type Tenant, type World } from './test-accounts.ts';
export { type StoreKind, type TestStore, type TestStores, testStores } from './test-stores.ts';
