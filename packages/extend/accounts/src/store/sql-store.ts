import { type Database, isUniqueViolation, type StorableValue } from '@leeward/database';
import { type Kysely, sql } from 'kysely';
import { appendToChain, chainIdOf, emptyChain } from '../audit/audit-chain.ts';
import { latestEnd, REMINDER_MS, type Reminder } from '../token/rotation.ts';
import type { AccountStore, StoreReader, StoreWriter } from './account-store.ts';
import { DuplicateRecordError } from './account-store.ts';
import { keepRecords } from './keep-records.ts';
import { fieldOf, idOf, layouts } from './layout.ts';
import type { Kind, Records } from './records.ts';

type Row = Record<string, StorableValue>;
type Tables = Record<`accounts_${Kind}`, Row>;

/**
 * In a database opened with `accountsMigrations`.
 *
 * @example
 * const database = await openDatabase('sqlite:leeward.sqlite', { migrations: [accountsMigrations] });
 * createAccounts({ store: createSqlStore(database) });
 */
export function createSqlStore(database: Database): AccountStore {
  const reader = keepRecords(createReader(database.tables<Tables>()), database.commits);
  return {
    reader,
    read: <T>(work: (reader: StoreReader) => Promise<T>) =>
      database.snapshot<Tables, T>((tx) => work(createReader(tx))),
    write: <T>(work: (writer: StoreWriter) => Promise<T>) =>
      database.transaction<Tables, T>((tx) => work(createWriter(tx, database.engine === 'postgres'))),
    async countReminders({ environment, nowMs, maxDays }) {
      const soonMs = nowMs + REMINDER_MS;
      const exceeds =
        maxDays === undefined
          ? sql`false`
          : sql`expires_at is null or (expires_at > ${soonMs} and expires_at > created_at + ${latestEnd(0, maxDays)})`;
      const { rows } = await sql<Readonly<Record<Reminder, number | string>>>`
        select coalesce(sum(case when expires_at <= ${soonMs} then 1 else 0 end), 0) as expires_soon,
          coalesce(sum(case when ${exceeds} then 1 else 0 end), 0) as exceeds_policy
        from accounts_tokens
        where environment = ${environment} and session_ends_at is null and revoked_at is null
          and (expires_at is null or expires_at > ${nowMs})
          and token_id not in (select rotated_from from accounts_tokens where rotated_from is not null)`.execute(
        database.tables<Tables>(),
      );
      const [counts] = rows;
      return {
        expires_soon: Number(counts?.expires_soon ?? 0),
        exceeds_policy: Number(counts?.exceeds_policy ?? 0),
      };
    },
    async recordUses(uses) {
      await database.transaction<Tables, void>(async (tx) => {
        for (const { tokenId, atMs } of uses) {
          await tx
            .updateTable('accounts_tokens')
            .set({ last_used_at: atMs })
            .where('token_id', '=', tokenId)
            .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', atMs)]))
            .execute();
        }
      });
    },
    async saveDecisions(decisions, maxOfEach) {
      if (decisions.length === 0) return;
      const owners = [...new Set(decisions.map((each) => each.organization_id))];
      await database.transaction<Tables, void>(async (tx) => {
        const existing = new Set(await organizationsOf(tx, owners));
        const accepted = decisions.filter(({ organization_id: id }) => id === null || existing.has(id));
        for (let start = 0; start < accepted.length; start += DECISIONS_AT_ONCE) {
          const rows = accepted.slice(start, start + DECISIONS_AT_ONCE).map((each) => rowOf('saved_decisions', each));
          await tx.insertInto('accounts_saved_decisions').values(rows).execute();
        }
        for (const owner of new Set(accepted.map((each) => each.organization_id)))
          await forgetBeyond(tx, owner, maxOfEach);
      });
    },
    async forgetDecisions(beforeMs) {
      await database.transaction<Tables, void>(async (tx) => {
        await tx.deleteFrom('accounts_saved_decisions').where('at', '<', beforeMs).execute();
      });
    },
  };
}

/** Rows per statement. */
const DECISIONS_AT_ONCE = 100;

async function organizationsOf(tx: Kysely<Tables>, ids: readonly (string | null)[]): Promise<string[]> {
  const named = ids.filter((id) => id !== null);
  if (named.length === 0) return [];
  const rows = await tx
    .selectFrom('accounts_organizations')
    .select('organization_id')
    .where('organization_id', 'in', named)
    .execute();
  return rows.map(({ organization_id: id }) => id as string);
}

async function forgetBeyond(tx: Kysely<Tables>, owner: string | null, max: number): Promise<void> {
  const operator = owner === null ? 'is' : '=';
  const [oldest] = await tx
    .selectFrom('accounts_saved_decisions')
    .select('decision_id')
    .where('organization_id', operator, owner)
    .orderBy('decision_id', 'desc')
    .offset(max)
    .limit(1)
    .execute();
  if (oldest === undefined) return;
  await tx
    .deleteFrom('accounts_saved_decisions')
    .where('organization_id', operator, owner)
    .where('decision_id', '<=', oldest['decision_id'] as string)
    .execute();
}

function createReader(db: Kysely<Tables>): StoreReader {
  const select = <K extends Kind>(kind: K, where: object) => {
    let query = db.selectFrom(`accounts_${kind}` as `accounts_${Kind}`);
    for (const [field, value] of Object.entries(where) as [string, StorableValue][]) {
      query = query.where(field, value === null ? 'is' : '=', value);
    }
    return query;
  };
  return {
    async get(kind, id) {
      const row = await select(kind, { [layouts[kind].id]: id })
        .selectAll()
        .executeTakeFirst();
      return row && recordOf(kind, row);
    },
    async list(kind, { where = {}, after, limit, newestFirst = false }) {
      const { id } = layouts[kind];
      let query = select(kind, where)
        .selectAll()
        .orderBy(id, newestFirst ? 'desc' : 'asc');
      if (after !== undefined) query = query.where(id, newestFirst ? '<' : '>', after);
      if (limit !== undefined) query = query.limit(limit);
      return (await query.execute()).map((row) => recordOf(kind, row));
    },
    async count(kind, where) {
      const counted = select(kind, where).select((eb) => eb.fn.countAll().as('count'));
      return Number((await counted.executeTakeFirstOrThrow()).count);
    },
  };
}

function createWriter(db: Kysely<Tables>, locksRows: boolean): StoreWriter {
  const tableOf = (kind: Kind) => `accounts_${kind}` as `accounts_${Kind}`;
  const lock = async <K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> => {
    const query = db.selectFrom(tableOf(kind)).selectAll().where(layouts[kind].id, '=', id);
    // SQLite transactions are exclusive.
    const row = await (locksRows ? query.forUpdate() : query).executeTakeFirst();
    return row && recordOf(kind, row);
  };
  const insert = async <K extends Kind>(kind: K, record: Records[K]) => {
    await asDuplicate(() => db.insertInto(tableOf(kind)).values(rowOf(kind, record)).execute());
  };
  const replace = async <K extends Kind>(kind: K, record: Records[K]) => {
    const { [layouts[kind].id]: id, ...values } = rowOf(kind, record);
    await asDuplicate(() =>
      db
        .updateTable(tableOf(kind))
        .set(values)
        .where(layouts[kind].id, '=', id ?? idOf(kind, record))
        .execute(),
    );
  };
  /** Waits for another process that begins the same chain. */
  const beginChain = async (owner: string | null) => {
    const row = rowOf('audit_chains', emptyChain(owner));
    await db
      .insertInto('accounts_audit_chains')
      .values(row)
      .onConflict((conflict) => conflict.column('chain_id').doNothing())
      .execute();
    return (await lock('audit_chains', chainIdOf(owner)))!;
  };
  return {
    ...createReader(db),
    lock,
    insert,
    replace,
    async remove(kind, id) {
      await db.deleteFrom(tableOf(kind)).where(layouts[kind].id, '=', id).execute();
    },
    async append(entry) {
      const { organization_id: owner } = entry;
      const { record, head } = appendToChain(
        (await lock('audit_chains', chainIdOf(owner))) ?? (await beginChain(owner)),
        entry,
      );
      await insert('audit', record);
      await replace('audit_chains', head);
    },
  };
}

function rowOf<K extends Kind>(kind: K, record: Records[K]): Row {
  const { json } = layouts[kind];
  const cells = Object.keys(record).map((field) => {
    const value = fieldOf(record, field);
    return [field, json.includes(field) && value !== null ? JSON.stringify(value) : value] as [string, StorableValue];
  });
  return Object.fromEntries(cells);
}

function recordOf<K extends Kind>(kind: K, row: Row): Records[K] {
  const { json } = layouts[kind];
  const fields = Object.entries(row).map(([field, value]) => [
    field,
    json.includes(field) && typeof value === 'string' ? JSON.parse(value) : value,
  ]);
  return Object.fromEntries(fields) as Records[K];
}

async function asDuplicate(statement: () => Promise<unknown>): Promise<void> {
  try {
    await statement();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new DuplicateRecordError('A record with these unique fields is there already.', { cause: error });
  }
}
