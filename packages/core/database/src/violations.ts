/**
 * What a failed statement means, the same for both engines. Each takes whatever was thrown.
 */

const SQLITE_FOREIGN_KEY = 787;
const sqliteUnique = new Set([2067 /* UNIQUE */, 1555 /* PRIMARY KEY */]);
const sqliteUnwritable = new Set([8 /* READONLY */, 10 /* IOERR */, 13 /* FULL */]);
const sqliteUnavailable = new Set([5 /* BUSY */, 6 /* LOCKED */, 14 /* CANTOPEN */, ...sqliteUnwritable]);

/** Connection exceptions, out of resources, shutting down or starting up, and PostgreSQL's read-only standby. */
const postgresUnavailable = /^(08|53|57P0|25006)/;
const socketFaults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** pg reports a connection that is lost, or was not to be had, by message alone. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** A row with this key is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505' || sqliteUnique.has(sqliteCodeOf(error));
}

/** The row it points to is not there, or others still point to it. */
export function isForeignKeyViolation(error: unknown): boolean {
  return codeOf(error) === '23503' || sqliteCodeOf(error) === SQLITE_FOREIGN_KEY;
}

/** The store is out of reach, full, or held by another process for too long: worth trying again later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseBusyError || error instanceof DiskFullError) return true;
  if (sqliteUnavailable.has(sqliteCodeOf(error) & 0xff)) return true;
  const code = codeOf(error);
  if (code !== undefined && (socketFaults.has(code) || postgresUnavailable.test(code))) return true;
  return error instanceof Error && lostConnection.test(error.message);
}

/** Two transactions ran into each other and one was rolled back whole: running it again is right. */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** The disk of the database is full, or as good as full. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';

  constructor(options?: ErrorOptions) {
    super('The disk of the database is full: nothing can be written. Make room, or move the database.', options);
  }
}

/** Reading may go on, but nothing can be written: a full disk, or one that has become read-only. */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof DiskFullError) return true;
  const code = codeOf(error);
  return sqliteUnwritable.has(sqliteCodeOf(error) & 0xff) || code === '53100' || code === '25006';
}

/** The write lock could not be had in time. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function sqliteCodeOf(error: unknown): number {
  if (codeOf(error) !== 'ERR_SQLITE_ERROR') return 0;
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : 0;
}
