import { sql } from 'kysely';
import { type Db, micros, type StoreContext } from './store-context.ts';

/*
 * Passes over stored data that one process at a time runs. Each kind has a row of `quote_closure_pass`, which is given with a lease.
 */

/** Rows of the kinds. */
const rowOf = { closures: sql.lit(1), homes: sql.lit(2) } as const;

/** A pass that this process runs. */
export interface Pass {
  readonly kind: keyof typeof rowOf;
  /** Names the process, which keeps the lease between its passes. */
  readonly token: string;
  /** Undefined: a pass that repeats after a time. */
  readonly stamp: string | undefined;
}

/**
 * Begins a pass that is due, if the lease is free or this process has it. `done`: a pass for this stamp has ended. `busy`: another process has
 * the lease, or a repeated pass ran within `everyMs`.
 */
export async function claimPass(
  context: StoreContext,
  { kind, token, stamp }: Pass,
  { leaseMs, everyMs }: { readonly leaseMs: number; readonly everyMs: number },
): Promise<'claimed' | 'done' | 'busy'> {
  const { db, now } = context;
  const isDue =
    stamp === undefined
      ? sql`(checked_at is null or checked_at <= ${now()} - ${sql.lit(micros(everyMs))})`
      : sql`(done_stamp is null or done_stamp <> ${stamp})`;
  const claimed = await sql`
    update quote_closure_pass set owner = ${token}, lease_until = ${now()} + ${sql.lit(micros(leaseMs))}
    where id = ${rowOf[kind]} and (owner is null or owner = ${token} or lease_until <= ${now()}) and ${isDue}`.execute(
    db,
  );
  if (Number(claimed.numAffectedRows ?? 0n) > 0) return 'claimed';
  const { rows } = await sql<{
    done_stamp: string | null;
  }>`select done_stamp from quote_closure_pass where id = ${rowOf[kind]}`.execute(db);
  return stamp !== undefined && rows[0]?.done_stamp === stamp ? 'done' : 'busy';
}

/** False if another process took the pass over. */
export async function renewPass(
  { db, now }: StoreContext,
  { kind, token }: Omit<Pass, 'stamp'>,
  leaseMs: number,
): Promise<boolean> {
  const renewed = await sql`
    update quote_closure_pass set lease_until = ${now()} + ${sql.lit(micros(leaseMs))}
    where id = ${rowOf[kind]} and owner = ${token}`.execute(db);
  return Number(renewed.numAffectedRows ?? 0n) > 0;
}

/** Notes that a pass is complete. The process keeps the lease. */
export async function completePass({ db, now }: StoreContext, { kind, token, stamp }: Pass): Promise<void> {
  const done = stamp === undefined ? sql`` : sql`, done_stamp = ${stamp}`;
  await sql`
    update quote_closure_pass set checked_at = ${now()} ${done}
    where id = ${rowOf[kind]} and owner = ${token}`.execute(db);
}

/** Gives the lease back. Repeated passes of other processes wait as if one had ended now. */
export async function releasePass({ db, now }: StoreContext, { kind, token }: Omit<Pass, 'stamp'>): Promise<void> {
  await sql`
    update quote_closure_pass set owner = null, lease_until = null, checked_at = ${now()}
    where id = ${rowOf[kind]} and owner = ${token}`.execute(db);
}

/** False if another process took the pass over; else it stays with this one until the transaction ends. */
export async function holdsPass(
  { database }: StoreContext,
  tx: Db,
  { kind, token }: Pick<Pass, 'kind' | 'token'>,
): Promise<boolean> {
  const lock = database.engine === 'postgres' ? sql`for share` : sql``;
  const { rows } = await sql`
    select 1 from quote_closure_pass where id = ${rowOf[kind]} and owner = ${token} ${lock}`.execute(tx);
  return rows.length > 0;
}
