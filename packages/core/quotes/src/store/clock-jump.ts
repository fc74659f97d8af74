import { MICROS_PER_MS } from '@leeward/terms';
import { type RawBuilder, sql } from 'kysely';
import { micros, type StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';
import { isIn } from './transitions.ts';

/** Smaller jumps are adjustments or slow answers. */
const MIN_JUMP_MICROS = micros(2000);

/**
 * Detects that the store's clock was set, by the monotonic clock of this process, and moves everything that waits: waits, leases and
 * deadlines of rates, cooldowns and permits of carriers, waits of webhooks. Only one process moves.
 */
export interface ClockWatch {
  /** @returns the jump in ms since the last call; 0 if nothing was moved. */
  follow(): Promise<number>;
}

/** @param trusted A clock option's time may pass at any speed: only a step back is a jump. */
export function createClockWatch(context: StoreContext, trusted: boolean): ClockWatch {
  /** Store time without jumps, and the monotonic time of its reading. */
  let last: { readonly at: number; readonly steady: number } | undefined;

  const read = async () => {
    const before = performance.now();
    const { rows } = await sql<{ now: number; moved: number; newest: number | null }>`
      select ${context.now()} as now, moved,
        ${last === undefined ? newestUnfinished : sql`null`} as newest
      from quote_clock where id = 1`.execute(context.db);
    const after = performance.now();
    return { ...rows[0]!, before, after };
  };
  return {
    async follow() {
      const { now, moved, newest, before, after } = await read();
      const at = now - moved;
      const steady = (before + after) / 2;
      const earlier = last;
      const passed = earlier === undefined || trusted ? 0 : (steady - earlier.steady) * MICROS_PER_MS;
      // At the start, compare with the rates: none was created in the future.
      const jump = earlier === undefined ? Math.min(0, now - (newest ?? now)) : at - earlier.at - passed;
      const isJump = jump < -MIN_JUMP_MICROS || (jump > MIN_JUMP_MICROS && !trusted);
      // Such a slow answer makes the time too uncertain.
      if (isJump && after - before > MIN_JUMP_MICROS / MICROS_PER_MS / 2) return 0;
      last = { at: isJump ? at - Math.round(jump) : at, steady };
      if (!isJump) return 0;
      const done = await move(context, Math.round(jump), moved);
      if (!done) last = earlier;
      return done ? jump / MICROS_PER_MS : 0;
    },
  };
}

const newestUnfinished = sql`(select max(created_at) from quote_rate where wake_at is not null)`;

/** @returns false if another process has moved it. */
async function move(context: StoreContext, jump: number, moved: number): Promise<boolean> {
  return context.database.transaction<QuoteTables, boolean>(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      update quote_clock set moved = moved + ${sql.lit(jump)} where id = 1 and moved = ${moved} returning id`.execute(
      tx,
    );
    if (rows.length === 0) return false;
    const now = context.now();
    // Values from before and after the jump lie on different sides of half the jump.
    const isOld = (instant: RawBuilder<unknown>) =>
      jump < 0 ? sql`${instant} > ${now} - ${sql.lit(jump / 2)}` : sql`${instant} < ${now} - ${sql.lit(jump / 2)}`;
    const movedColumn = (name: string, old = isOld(sql.ref(name))) =>
      sql`${sql.ref(name)} = case when ${old} then ${sql.ref(name)} + ${sql.lit(jump)} else ${sql.ref(name)} end`;
    // After a jump forward, only leases that it ended are extended.
    const leaseIsOld = jump < 0 ? isOld(sql.ref('lease_until')) : sql`lease_until <= ${now}`;
    const waitIsOld = jump < 0 ? isOld(sql.ref('wake_at')) : sql`(${isIn('leased')} and lease_until <= ${now})`;
    // Else a process that starts later would find rates of the future, and move everything again.
    const creation = jump < 0 ? [movedColumn('created_at', sql`created_at > ${now}`)] : [];
    const deadlineIsOld = jump < 0 ? isOld(sql.ref('deadline_at')) : isOld(sql.ref('created_at'));
    await sql`
      update quote_rate set ${sql.join([
        movedColumn('wake_at', waitIsOld),
        movedColumn('lease_until', leaseIsOld),
        movedColumn('deadline_at', deadlineIsOld),
        ...creation,
      ])}
      where wake_at is not null`.execute(tx);
    await sql`update quote_carrier_rest set ${movedColumn('rest_until')} where rest_until is not null`.execute(tx);
    await sql`update quote_carrier_pace set ${movedColumn('theoretical_arrival')} where theoretical_arrival > 0`.execute(
      tx,
    );
    await sql`update quote_carrier_permit set ${movedColumn('granted_at')}`.execute(tx);
    await sql`update quote_webhook_delivery set ${movedColumn('due_at')}, ${movedColumn('failing_since')}`.execute(tx);
    await sql`update quote_webhook set ${movedColumn('rest_until')}, ${movedColumn('failing_since')}`.execute(tx);
    return true;
  });
}
