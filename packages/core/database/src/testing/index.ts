export { type HandedOnPlace, type HandedOnPlaces, handOnPlaces } from './handed-on-places.ts';
export { findPostgres, type PostgresServer } from './postgres-server.ts';
export { storedRows } from './stored-rows.ts';
export { type TestEngine, type TestPlace, testEngines } from './test-engines.ts';
