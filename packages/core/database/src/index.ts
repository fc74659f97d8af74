export { BackupError, type BackupResult, backUpDatabase, type RestoreOptions, restoreDatabase } from './backup.ts';
export type { Database } from './database.ts';
export type { StoredInteger } from './integers.ts';
export { MigrationError } from './migrate.ts';
export type { Engine, Migration, MigrationList, MigrationTables } from './migration.ts';
export { type OpenDatabaseOptions, openDatabase } from './open-database.ts';
export { checkParameters, type StorableValue, UnstorableValueError } from './parameters.ts';
export {
  DatabaseBusyError,
  DiskFullError,
  isForeignKeyViolation,
  isSerializationFailure,
  isUnavailable,
  isUniqueViolation,
  isUnwritable,
} from './violations.ts';
