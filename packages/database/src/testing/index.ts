export { findPostgres, type PostgresServer } from './postgres-server.ts';
export { type TestEngine, type TestPlace, testEngines } from './test-engines.ts';
