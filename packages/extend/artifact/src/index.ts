export type { BuiltTables, NotCompiled, TablesOptions } from './tables/built-tables.ts';
