import type { Database } from '@leeward/database';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type AuditRecord, auditItemOf } from '../audit/audit-entry.ts';
import type { AuditLine } from './audit-destination.ts';

/*
 * Each destination has a row of `accounts_audit_streams`: the lease of the process that streams, and the last failure. Its progress is
 * one row of `accounts_audit_cursors` per chain. Only the process with the lease moves them.
 */

interface StreamTables {
  accounts_audit_streams: {
    destination_id: string;
    owner: string | null;
    lease_until: number | null;
    attempts: number;
    retry_at: number | null;
    failing_since: number | null;
    last_error: string | null;
  };
  accounts_audit_cursors: { destination_id: string; chain_id: string; sequence: number };
}

type Db = Kysely<StreamTables> | Transaction<StreamTables>;

/** Lines with the chains that they move. */
export interface AuditBatch {
  readonly lines: readonly AuditLine[];
  /** Last sequence by chain. */
  readonly ends: ReadonlyMap<string, number>;
  /** Chain after which the next batch begins, so that busy chains do not hold up others. */
  readonly lastChain: string;
}

/** Progress of a destination. */
export interface StreamProgress {
  readonly waiting: number;
  /** Age of the oldest waiting entry; null without one. */
  readonly oldestMs: number | null;
  /** Reason of the last failure; null after a success. */
  readonly lastError: string | null;
  readonly failingMs: number | null;
}

export interface StreamStore {
  /** The number of failures since the last success, or how long to wait: another process has the lease, or a pause is not over. */
  acquire(
    id: string,
    owner: string,
    leaseMs: number,
  ): Promise<{ readonly attempts: number } | { readonly waitMs: number }>;
  /** Undefined if all entries were sent. */
  readBatch(
    id: string,
    options: { readonly afterChain: string; readonly maxEntries: number; readonly maxBytes: number },
  ): Promise<AuditBatch | undefined>;
  /** False, and no progress, if another process took the lease over. */
  advance(id: string, owner: string, ends: ReadonlyMap<string, number>): Promise<boolean>;
  /** Gives the lease back; every process waits for the delay. */
  fail(id: string, owner: string, failure: { readonly reason: string; readonly delayMs: number }): Promise<void>;
  release(id: string, owner: string): Promise<void>;
  progress(id: string): Promise<StreamProgress>;
}

/** Chains per query. */
const MAX_CHAINS = 100;

export function createStreamStore(database: Database): StreamStore {
  const db = database.tables<StreamTables>();
  const isPostgres = database.engine === 'postgres';
  // The clock of the database is the same for all processes.
  const now = isPostgres
    ? sql<number>`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`;

  const pendingChains = async (id: string, afterChain: string) =>
    (
      await sql<{ chain_id: string; organization_id: string | null; sequence: number }>`
        select chains.chain_id, chains.organization_id, coalesce(cursors.sequence, 0) as sequence
        from accounts_audit_chains chains
        left join accounts_audit_cursors cursors on cursors.destination_id = ${id} and cursors.chain_id = chains.chain_id
        where chains.sequence > coalesce(cursors.sequence, 0) and chains.chain_id > ${afterChain}
        order by chains.chain_id limit ${sql.lit(MAX_CHAINS)}`.execute(db)
    ).rows;

  const readEntries = async (organizationId: string | null, after: number, limit: number) =>
    (
      await sql<AuditRecord & { readonly changes: string }>`
        select * from accounts_audit
        where coalesce(organization_id, '') = ${organizationId ?? ''} and sequence > ${after}
        order by sequence limit ${sql.lit(limit)}`.execute(db)
    ).rows;

  return {
    async acquire(id, owner, leaseMs) {
      const read = async () =>
        (
          await sql<{ owner: string | null; lease_ms: number | null; retry_ms: number | null; attempts: number }>`
            select owner, attempts, lease_until - ${now} as lease_ms, retry_at - ${now} as retry_ms
            from accounts_audit_streams where destination_id = ${id}`.execute(db)
        ).rows[0];
      let row = await read();
      if (row === undefined) {
        await db
          .insertInto('accounts_audit_streams')
          .values({ destination_id: id, attempts: 0 } as never)
          .onConflict((conflict) => conflict.column('destination_id').doNothing())
          .execute();
        row = (await read())!;
      }
      const isTaken = row.owner !== null && row.owner !== owner;
      const waitMs = Math.max(isTaken ? Number(row.lease_ms) : 0, Number(row.retry_ms ?? 0));
      if (waitMs > 0) return { waitMs };
      const update = await sql`
        update accounts_audit_streams set owner = ${owner}, lease_until = ${now} + ${sql.lit(leaseMs)}
        where destination_id = ${id} and (owner is null or owner = ${owner} or lease_until <= ${now})
          and (retry_at is null or retry_at <= ${now})`.execute(db);
      return Number(update.numAffectedRows ?? 0n) > 0 ? { attempts: row.attempts } : { waitMs: leaseMs };
    },

    async readBatch(id, { afterChain, maxEntries, maxBytes }) {
      const lines: AuditLine[] = [];
      const ends = new Map<string, number>();
      let bytes = 0;
      let lastChain = afterChain;
      const later = await pendingChains(id, afterChain);
      const chains = later.length > 0 || afterChain === '' ? later : await pendingChains(id, '');
      for (const { chain_id: chain, organization_id: organizationId, sequence } of chains) {
        if (lines.length >= maxEntries) break;
        for (const row of await readEntries(organizationId, sequence, maxEntries - lines.length)) {
          const entry = auditItemOf({ ...row, changes: JSON.parse(row.changes) });
          const line = JSON.stringify(entry);
          bytes += Buffer.byteLength(line) + 1;
          if (bytes > maxBytes && lines.length > 0) return { lines, ends, lastChain };
          lines.push({ entry, line });
          ends.set(chain, entry.sequence);
          lastChain = chain;
        }
      }
      return lines.length === 0 ? undefined : { lines, ends, lastChain };
    },

    advance: (id, owner, ends) =>
      database.transaction<StreamTables, boolean>(async (tx) => {
        // Keeps the lease with this process until the transaction ends.
        const update = await sql`
          update accounts_audit_streams set attempts = 0, retry_at = null, failing_since = null, last_error = null
          where destination_id = ${id} and owner = ${owner}`.execute(tx);
        if (Number(update.numAffectedRows ?? 0n) === 0) return false;
        for (const [chain, sequence] of ends) await moveCursor(tx, id, chain, sequence);
        return true;
      }),

    async fail(id, owner, { reason, delayMs }) {
      await sql`
        update accounts_audit_streams
        set owner = null, lease_until = null, attempts = attempts + 1, last_error = ${reason},
          retry_at = ${now} + ${sql.lit(Math.ceil(delayMs))}, failing_since = coalesce(failing_since, ${now})
        where destination_id = ${id} and owner = ${owner}`.execute(db);
    },

    async release(id, owner) {
      await sql`
        update accounts_audit_streams set owner = null, lease_until = null
        where destination_id = ${id} and owner = ${owner}`.execute(db);
    },

    async progress(id) {
      const [counted] = (
        await sql<{ waiting: number | null; oldest_ms: number | null }>`
          select cast(sum(chains.sequence - coalesce(cursors.sequence, 0)) as bigint) as waiting, ${now} - min(entries.at) as oldest_ms
          from accounts_audit_chains chains
          left join accounts_audit_cursors cursors on cursors.destination_id = ${id} and cursors.chain_id = chains.chain_id
          left join accounts_audit entries on coalesce(entries.organization_id, '') = coalesce(chains.organization_id, '')
            and entries.sequence = coalesce(cursors.sequence, 0) + 1
          where chains.sequence > coalesce(cursors.sequence, 0)`.execute(db)
      ).rows;
      const [stream] = (
        await sql<{ last_error: string | null; failing_ms: number | null }>`
          select last_error, ${now} - failing_since as failing_ms
          from accounts_audit_streams where destination_id = ${id}`.execute(db)
      ).rows;
      return {
        waiting: Number(counted?.waiting ?? 0),
        oldestMs: counted?.oldest_ms == null ? null : Math.max(0, Number(counted.oldest_ms)),
        lastError: stream?.last_error ?? null,
        failingMs: stream?.failing_ms == null ? null : Number(stream.failing_ms),
      };
    },
  };
}

async function moveCursor(tx: Db, id: string, chain: string, sequence: number): Promise<void> {
  await tx
    .insertInto('accounts_audit_cursors')
    .values({ destination_id: id, chain_id: chain, sequence })
    .onConflict((conflict) => conflict.columns(['destination_id', 'chain_id']).doUpdateSet({ sequence }))
    .execute();
}
