import { sql } from 'kysely';

import type { StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';
import { canMove, move } from './transitions.ts';

export interface LostProcesses {
  readonly processes: number;
  readonly leases: number;
}

/** Time without a heartbeat after which a process counts as dead. */
export const MAX_SILENCE_MS = 8000;
/** After a longer gap this process starts counting again: it may have been paused, or the database away. */
const MAX_GAP_MS = 4000;

export interface ProcessWatch {
  /** Beats and ends the leases of dead processes. Call it about every second. */
  follow(): Promise<LostProcesses>;
  leave(): Promise<void>;
}

/**
 * Each process raises a number (`beats`); one whose number stays the same while another keeps reading it is dead. The reader's monotonic
 * clock counts, so setting the database clock ends no lease. A paused process cannot write after another claimed its rates, because the
 * fence is higher. @param steadyMs Monotonic time in ms.
 */
export function createProcessWatch(
  context: StoreContext,
  steadyMs: () => number = () => performance.now(),
): ProcessWatch {
  const { db, owner } = context;
  let others = new Map<string, { readonly beats: number; readonly silentMs: number }>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  const beat = () =>
    sql`
      insert into quote_process (id, beats) values (${owner}, 1)
      on conflict (id) do update set beats = quote_process.beats + 1`.execute(db);
  /** @returns the ended leases; undefined if the process is alive after all. */
  const bury = (id: string, beats: number) =>
    context.database.transaction<QuoteTables, number | undefined>(async (tx) => {
      const { rows: gone } = await sql`
        delete from quote_process where id = ${id} and beats = ${beats} returning id`.execute(tx);
      if (gone.length === 0) return undefined;
      const { rows } = await sql`
        update quote_rate set ${move('lose_process', context.now())}
        where owner = ${id} and ${canMove('lose_process')} and lease_until > ${context.now()}
        returning id`.execute(tx);
      return rows.length;
    });
  return {
    async follow() {
      const { rows } = await sql<{ id: string; beats: number }>`select id, beats from quote_process`.execute(db);
      // A lone process writes nothing. A new process is seen here, and watches before it ends a lease.
      if (rows.length !== 1 || rows[0]!.id !== owner) await beat();
      const now = steadyMs();
      const sinceMs = now - lookedAt;
      lookedAt = now;
      const current = new Map<string, { readonly beats: number; readonly silentMs: number }>();
      let [processes, leases] = [0, 0];
      for (const { id, beats } of rows) {
        if (id === owner) continue;
        const before = others.get(id);
        const isSilent = before?.beats === beats && sinceMs <= MAX_GAP_MS;
        const silentMs = isSilent ? before.silentMs + sinceMs : 0;
        const ended = silentMs >= MAX_SILENCE_MS ? await bury(id, beats) : undefined;
        if (ended === undefined) current.set(id, { beats, silentMs });
        else [processes, leases] = [processes + 1, leases + ended];
      }
      others = current;
      return { processes, leases };
    },
    async leave() {
      await sql`delete from quote_process where id = ${owner}`.execute(db);
    },
  };
}
