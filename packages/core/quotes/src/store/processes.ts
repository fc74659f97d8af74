import { sql } from 'kysely';

import type { StoreContext } from './store-context.ts';
import type { QuoteTables } from './tables.ts';

/** Processes that are dead, and the leases that they held. */
export interface LostProcesses {
  readonly processes: number;
  readonly leases: number;
}

/** A process that has not been heard of for so long is taken to be dead: its leases end. */
export const MAX_SILENCE_MS = 8000;
/** If this process itself has not looked for so long, it starts to count anew: it may have been paused, or the database away. */
const MAX_GAP_MS = 4000;

/** The heartbeats of all processes on one database. */
export interface ProcessWatch {
  /** Notes that this process is alive, and ends the leases of those that are not. To be called about every second. */
  follow(): Promise<LostProcesses>;
  /** This process stops, and holds nothing any more. */
  leave(): Promise<void>;
}

/**
 * Each process raises a number (`beats`); one whose number stays the same while another looks again and again is dead. Time
 * is measured by the steady clock of the process that looks: a clock of the database that is set ends no lease. The fence
 * of its rates keeps a process that was only paused from writing once another has claimed them.
 *
 * @param steadyMs milliseconds that only go forward.
 */
export function createProcessWatch(
  context: StoreContext,
  steadyMs: () => number = () => performance.now(),
): ProcessWatch {
  const { db, owner } = context;
  /** What was read of the others: their number, and for how long it has been seen to stay the same. */
  let others = new Map<string, { readonly beats: number; readonly silentMs: number }>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  const beat = () =>
    sql`
      insert into quote_process (id, beats) values (${owner}, 1)
      on conflict (id) do update set beats = quote_process.beats + 1`.execute(db);
  /** @returns how many leases were ended; undefined where it has been heard after all. */
  const bury = (id: string, beats: number) =>
    context.database.transaction<QuoteTables, number | undefined>(async (tx) => {
      const { rows: gone } = await sql`
        delete from quote_process where id = ${id} and beats = ${beats} returning id`.execute(tx);
      if (gone.length === 0) return undefined;
      const { rows } = await sql`
        update quote_rate set lease_until = ${context.now()}, wake_at = ${context.now()}, told = 0
        where owner = ${id} and lease_until is not null and lease_until > ${context.now()}
        returning id`.execute(tx);
      return rows.length;
    });
  return {
    async follow() {
      const { rows } = await sql<{ id: string; beats: number }>`select id, beats from quote_process`.execute(db);
      // One that is alone writes nothing: whoever comes is seen here, and watches for a while before it ends a lease.
      if (rows.length !== 1 || rows[0]!.id !== owner) await beat();
      const now = steadyMs();
      const sinceMs = now - lookedAt;
      lookedAt = now;
      const seen = new Map<string, { readonly beats: number; readonly silentMs: number }>();
      let [processes, leases] = [0, 0];
      for (const { id, beats } of rows) {
        if (id === owner) continue;
        const before = others.get(id);
        const isSilent = before?.beats === beats && sinceMs <= MAX_GAP_MS;
        const silentMs = isSilent ? before.silentMs + sinceMs : 0;
        const ended = silentMs >= MAX_SILENCE_MS ? await bury(id, beats) : undefined;
        if (ended === undefined) seen.set(id, { beats, silentMs });
        else [processes, leases] = [processes + 1, leases + ended];
      }
      others = seen;
      return { processes, leases };
    },
    async leave() {
      await sql`delete from quote_process where id = ${owner}`.execute(db);
    },
  };
}
