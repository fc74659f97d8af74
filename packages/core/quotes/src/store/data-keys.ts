import { randomBytes } from 'node:crypto';
import type { Database } from '@leeward/database';
import type { Micros } from '@leeward/terms';
import { type RawBuilder, sql } from 'kysely';
import {
  ErasedKeyError,
  type FieldEncryption,
  KeysUnavailableError,
  type SecretKey,
  type TeamKeys,
} from './field-cipher.ts';
import { createKeyEncryption, type LiveRow, RETRY_MS } from './key-encryption.ts';
import type { QuoteTables } from './tables.ts';

/*
 * Data keys: each team has one, which encrypts its personal data, and is stored encrypted (wrapped) under a key-encryption key.
 *
 *     current  --rotate-->  retired: only decrypts  --erase-->  erased: the wrapped key is deleted, the row stays
 *        `---------------------------erase-------------------------^
 *
 * Deleting the wrapped key makes everything unreadable that it encrypted. Each process caches keys: a row is read again after
 * `CHECK_MS`, which bounds the time until an erasure or rotation is noticed, and a key is unwrapped again after `UNWRAP_MS`.
 */

export interface DataKeys extends TeamKeys {
  /** The next value is sealed under a new key. @returns false if the team has no key. */
  rotate(teamId: string): Promise<boolean>;
  /** Deletes the team's wrapped keys. @param upTo @default keys of any age @returns their number. */
  erase(teamId: string, upTo?: Micros): Promise<number>;
  /** Teams with keys that are not erased. */
  teams(): Promise<string[]>;
  /** Deletes the wrapped keys under a lost key-encryption key. */
  eraseUnder(keyId: string): Promise<void>;
  /** Wraps all keys under the current key-encryption key. @returns numbers of rewrapped keys, and of those that failed. */
  rewrap(): Promise<{ readonly keys: number; readonly failed: number }>;
  /** Resolves once the current key service has answered. */
  probe(): Promise<void>;
}

/** Owner of the key for hashes in the list of erasures. */
export const ERASURES = '@erasures';
const CHECK_MS = 30_000;
const UNWRAP_MS = 900_000;
const MAX_CACHED = 10_000;
const AT_ONCE = 16;

interface CachedKey extends SecretKey {
  readonly checkedAt: number;
  readonly unwrappedAt: number;
}

export function createDataKeys(
  { database, now }: { readonly database: Database; readonly now: () => RawBuilder<number> },
  encryption: FieldEncryption | undefined,
  /** Milliseconds of a monotonic clock. */
  monotonicMs: () => number = () => performance.now(),
): DataKeys {
  const db = database.tables<QuoteTables>();
  const keks = createKeyEncryption(encryption, monotonicMs);
  const cache = new Map<string, CachedKey>();
  /** Checked apart from the cache, where reading old values keeps a retired key fresh. */
  const currentIds = new Map<string, { readonly id: string; readonly checkedAt: number }>();
  const loading = new Map<string, Promise<SecretKey>>();

  const keep = (id: string, bytes: Uint8Array, unwrappedAt: number): CachedKey => {
    const entry = { id, bytes, checkedAt: monotonicMs(), unwrappedAt };
    cache.delete(id);
    cache.set(id, entry);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    return entry;
  };
  const take = async (row: LiveRow): Promise<SecretKey> => {
    const entry = cache.get(row.id);
    const nowMs = monotonicMs();
    if (entry !== undefined && nowMs - entry.unwrappedAt < UNWRAP_MS)
      return keep(row.id, entry.bytes, entry.unwrappedAt);
    return keep(row.id, await keks.unwrap(row), nowMs);
  };
  const fresh = (id: string): SecretKey | undefined => {
    const entry = cache.get(id);
    const nowMs = monotonicMs();
    const isFresh = entry !== undefined && nowMs - entry.checkedAt < CHECK_MS && nowMs - entry.unwrappedAt < UNWRAP_MS;
    return isFresh ? entry : undefined;
  };
  /** Concurrent callers share one load. A failure of the service is shared for a while. */
  const once = (name: string, load: () => Promise<SecretKey>): Promise<SecretKey> => {
    const pending = loading.get(name);
    if (pending !== undefined) return pending;
    const forget = () => loading.delete(name);
    const started = load();
    loading.set(name, started);
    started.then(forget, (error: unknown) => {
      if (error instanceof KeysUnavailableError) setTimeout(forget, RETRY_MS).unref();
      else forget();
    });
    return started;
  };
  const readCurrent = async (teamId: string): Promise<LiveRow | undefined> => {
    const row = await db
      .selectFrom('quote_data_key')
      .selectAll()
      .where('team_id', '=', teamId)
      .where('retired_at', 'is', null)
      .executeTakeFirst();
    return row as LiveRow | undefined;
  };
  const create = async (teamId: string): Promise<LiveRow> => {
    const key = { id: `@${randomBytes(12).toString('base64url')}`, bytes: randomBytes(32) };
    const wrapped = await keks.wrap(key, teamId);
    await sql`
      insert into quote_data_key (id, team_id, key_id, wrapped, created_at)
      values (${key.id}, ${teamId}, ${keks.currentId}, ${wrapped}, ${now()})
      on conflict do nothing`.execute(db);
    const row = await readCurrent(teamId);
    if (row === undefined) throw new KeysUnavailableError('The data key was erased while it was created.');
    // Another process may have been faster.
    if (row.id === key.id) keep(key.id, key.bytes, monotonicMs());
    return row;
  };
  const forgetAll = () => {
    cache.clear();
    currentIds.clear();
  };
  const erased = { wrapped: null, retired_at: sql<number>`coalesce(retired_at, ${now()})`, erased_at: now() };

  return {
    async current(teamId) {
      const latest = currentIds.get(teamId);
      const cached = latest && monotonicMs() - latest.checkedAt < CHECK_MS ? fresh(latest.id) : undefined;
      if (cached !== undefined) return cached;
      return once(`team ${teamId}`, async () => {
        const row = (await readCurrent(teamId)) ?? (await create(teamId));
        if (currentIds.size >= 2 * MAX_CACHED) currentIds.clear();
        currentIds.set(teamId, { id: row.id, checkedAt: monotonicMs() });
        return take(row).catch((cause: Error) => {
          if (cause instanceof KeysUnavailableError) throw cause;
          throw new KeysUnavailableError(`Nothing can be encrypted for this team: ${cause.message}`, { cause });
        });
      });
    },
    async byId(id) {
      const cached = fresh(id);
      if (cached !== undefined) return cached;
      return once(id, async () => {
        const row = await db.selectFrom('quote_data_key').selectAll().where('id', '=', id).executeTakeFirst();
        if (row?.wrapped != null) return take(row as LiveRow);
        cache.delete(id);
        if (row === undefined) throw new Error(`The data key "${id}" does not exist.`);
        throw new ErasedKeyError('The data key was erased.');
      });
    },
    async rotate(teamId) {
      const { numUpdatedRows } = await db
        .updateTable('quote_data_key')
        .set({ retired_at: now() })
        .where('team_id', '=', teamId)
        .where('retired_at', 'is', null)
        .executeTakeFirst();
      currentIds.delete(teamId);
      return numUpdatedRows > 0n;
    },
    async erase(teamId, upTo = Number.MAX_SAFE_INTEGER) {
      const { numUpdatedRows } = await db
        .updateTable('quote_data_key')
        .set(erased)
        .where('team_id', '=', teamId)
        .where('erased_at', 'is', null)
        .where('created_at', '<=', upTo)
        .executeTakeFirst();
      forgetAll();
      return Number(numUpdatedRows);
    },
    async teams() {
      const rows = await db
        .selectFrom('quote_data_key')
        .select('team_id')
        .distinct()
        .where('team_id', '<>', ERASURES)
        .where('erased_at', 'is', null)
        .execute();
      return rows.map((row) => row.team_id);
    },
    async eraseUnder(keyId) {
      await db
        .updateTable('quote_data_key')
        .set(erased)
        .where('key_id', '=', keyId)
        .where('erased_at', 'is', null)
        .execute();
      forgetAll();
    },
    async rewrap() {
      let keys = 0;
      let failed = 0;
      for (let after = ''; ; ) {
        const rows = await db
          .selectFrom('quote_data_key')
          .selectAll()
          .where('key_id', '<>', keks.currentId)
          .where('wrapped', 'is not', null)
          .where('id', '>', after)
          .orderBy('id')
          .limit(AT_ONCE)
          .execute();
        const rewrapped = await Promise.allSettled(
          rows.map(async (row) => {
            const key = { id: row.id, bytes: await keks.unwrap(row as LiveRow) };
            const wrapped = await keks.wrap(key, row.team_id);
            const { numUpdatedRows } = await db
              .updateTable('quote_data_key')
              .set({ key_id: keks.currentId, wrapped })
              .where('id', '=', row.id)
              .where('wrapped', '=', row.wrapped)
              .executeTakeFirst();
            keys += Number(numUpdatedRows);
          }),
        );
        failed += rewrapped.filter(({ status }) => status === 'rejected').length;
        if (rows.length < AT_ONCE) return { keys, failed };
        after = rows.at(-1)!.id;
      }
    },
    probe: keks.probe,
  };
}
