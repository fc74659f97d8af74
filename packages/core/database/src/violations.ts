/** The functions accept any thrown value. */

const SQLITE_FOREIGN_KEY = 787;
const sqliteUnique = new Set([2067 /* UNIQUE */, 1555 /* PRIMARY KEY */]);
const sqliteUnwritable = new Set([8 /* READONLY */, 10 /* IOERR */, 13 /* FULL */]);
const sqliteUnavailable = new Set([5 /* BUSY */, 6 /* LOCKED */, 14 /* CANTOPEN */, ...sqliteUnwritable]);

/** Connection, resources, shutdown, startup, read-only standby. */
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

/** pg reports these only by message. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/**
 * True if a row with this key exists.
 *
 * @example
 * if (isUniqueViolation(error)) return existing;
 */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505' || sqliteUnique.has(sqliteCodeOf(error));
}

/**
 * True if a referenced row is missing, or the row is still referenced.
 *
 * @example
 * if (isForeignKeyViolation(error)) return undefined;
 */
export function isForeignKeyViolation(error: unknown): boolean {
  return codeOf(error) === '23503' || sqliteCodeOf(error) === SQLITE_FOREIGN_KEY;
}

/**
 * True if unavailable, full or locked for too long.
 *
 * @example
 * if (isUnavailable(error)) return new Response(null, { status: 503 });
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseBusyError || error instanceof DiskFullError) return true;
  if (sqliteUnavailable.has(sqliteCodeOf(error) & 0xff)) return true;
  const code = codeOf(error);
  if (code !== undefined && (socketFaults.has(code) || postgresUnavailable.test(code))) return true;
  return error instanceof Error && lostConnection.test(error.message);
}

/**
 * True if a concurrent transaction caused a rollback: run it again.
 *
 * @example
 * if (isSerializationFailure(error)) return retry();
 */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** The disk of the database is full, or nearly full. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';

  constructor(options?: ErrorOptions) {
    super('The disk of the database is full: writing is impossible. Free some space, or move the database.', options);
  }
}

/**
 * True if the disk is full or read-only. Reads may continue.
 *
 * @example
 * if (isUnwritable(error)) console.error('The disk is full.');
 */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof DiskFullError) return true;
  const code = codeOf(error);
  return sqliteUnwritable.has(sqliteCodeOf(error) & 0xff) || code === '53100' || code === '25006';
}

/** The write lock was not available in time. */
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
