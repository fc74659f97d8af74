import { type RawBuilder, sql } from 'kysely';
import { KeysUnavailableError, openUnder, readKeys, type SecretKey, sealUnder } from './field-cipher.ts';
import type { Db, StoreContext } from './store-context.ts';
import { rewriteDocuments } from './stored-answer.ts';
import type { QuoteTables } from './tables.ts';

/** Places of sealed text. */
export type SealedPlace = 'fields' | 'pending' | 'documents' | 'webhooks' | 'exchanges' | 'watched_homes';

/** Rows of one place under one key. */
export interface FieldKeyUse {
  readonly place: SealedPlace;
  /** Null: plain text, or an erased key. */
  readonly keyId: string | null;
  /** `envelope`: under data keys that `keyId` encrypts. `direct`: under `keyId` itself, from before data keys. */
  readonly kind: 'plain' | 'direct' | 'envelope' | 'erased';
  readonly rows: number;
  /** A configured key opens one of them. */
  readonly isReadable: boolean;
}

/** Stored data that the configured keys do not open. */
export class UnreadableFieldsError extends Error {
  override readonly name = 'UnreadableFieldsError';
  /** Missing keys, and names whose configured key differs. */
  readonly keyIds: readonly string[];

  constructor(missing: readonly string[], wrong: readonly string[]) {
    const named = (ids: readonly string[]) => ids.map((id) => `"${id}"`).join(', ');
    super(
      [
        ...(missing.length > 0
          ? [
              `Stored quotes are encrypted under ${named(missing)}, not configured here: add it to LEEWARD_FIELDS_PREVIOUS_KEYS, or make it LEEWARD_FIELDS_KEY.`,
            ]
          : []),
        ...(wrong.length > 0
          ? [
              `Stored quotes are encrypted under another key than the one configured as ${named(wrong)}: correct LEEWARD_FIELDS_KEY and LEEWARD_FIELDS_PREVIOUS_KEYS, and give a new key a new id.`,
            ]
          : []),
        'Then start services and workers again. leeward keys status counts what each key is needed for; as the last resort, if a key is lost for good, leeward keys erase KEY_ID erases what only it could read.',
      ].join(' '),
    );
    this.keyIds = [...missing, ...wrong];
  }
}

export interface SealedColumn {
  readonly place: SealedPlace;
  readonly table: 'quote_request' | 'quote_rate' | 'quote_webhook' | 'quote_exchange' | 'quote_watched_home';
  readonly column: 'fields' | 'pending' | 'answer' | 'secret' | 'previous_secret' | 'content';
}

export const sealedColumns: readonly SealedColumn[] = [
  { place: 'fields', table: 'quote_request', column: 'fields' },
  { place: 'pending', table: 'quote_rate', column: 'pending' },
  { place: 'documents', table: 'quote_rate', column: 'answer' },
  { place: 'webhooks', table: 'quote_webhook', column: 'secret' },
  { place: 'webhooks', table: 'quote_webhook', column: 'previous_secret' },
  { place: 'exchanges', table: 'quote_exchange', column: 'content' },
  { place: 'watched_homes', table: 'quote_watched_home', column: 'content' },
];

const SEALED = '"sealed":"';
const SCHEME = 'aes-256-gcm.';
/** Other writers wait during this many rows. */
export const ROWS_AT_ONCE = 100;
const PLAIN = '';

function sealedText(context: StoreContext, { column }: SealedColumn): RawBuilder<string> {
  const text = sql.ref(column);
  if (column !== 'answer') return sql`${text}`;
  const position = context.database.engine === 'postgres' ? sql.raw('strpos') : sql.raw('instr');
  return sql`substr(${text}, ${position}(${text}, ${SEALED}) + ${sql.lit(SEALED.length)})`;
}

/** An SQL expression: the id of a data key, or of a key from before data keys; empty for plain text. */
function keyIdOf(context: StoreContext, column: SealedColumn): RawBuilder<string> {
  const text = sealedText(context, column);
  const from = sql.lit(SCHEME.length + 1);
  const id =
    context.database.engine === 'postgres'
      ? sql`split_part(${text}, '.', 2)`
      : sql`substr(${text}, ${from}, instr(substr(${text}, ${from}), '.') - 1)`;
  return sql`case when ${text} like ${`${SCHEME}%`} then ${id} else ${PLAIN} end`;
}

/** True under this key-encryption key: directly, or in an envelope. */
export function isUnder(context: StoreContext, column: SealedColumn, keyId: string): RawBuilder<boolean> {
  const sealedUnder = keyIdOf(context, column);
  return sql`(${sealedUnder} = ${keyId} or ${sealedUnder} in (select id from quote_data_key where key_id = ${keyId}))`;
}

function isSealed({ column }: SealedColumn): RawBuilder<boolean> {
  const text = sql.ref(column);
  return column === 'answer' ? sql`${text} like ${`%${SEALED}%`}` : sql`${text} is not null`;
}

/** Rows by key-encryption key. Reads all stored data. */
export async function readFieldKeyUse(context: StoreContext): Promise<FieldKeyUse[]> {
  const uses: FieldKeyUse[] = [];
  for (const column of sealedColumns) {
    const { rows } = await sql<{ kind: FieldKeyUse['kind']; key_id: string; used: number; sample: string }>`
      select kind, key_id, count(*) as used, min(sealed_id) as sample from (
        select sealed.id as sealed_id, case when quote_data_key.id is null then sealed_under
            when erased_at is null then quote_data_key.key_id else ${PLAIN} end as key_id,
          case when sealed_under = ${PLAIN} then 'plain' when quote_data_key.id is null then 'direct'
            when erased_at is null then 'envelope' else 'erased' end as kind
        from (select id, ${keyIdOf(context, column)} as sealed_under from ${sql.table(column.table)}
          where ${isSealed(column)}) as sealed left join quote_data_key on quote_data_key.id = sealed_under) as used
      group by kind, key_id order by kind, key_id`.execute(context.db);
    for (const { kind, key_id: keyId, used, sample } of rows) {
      const [row] =
        kind === 'plain' || kind === 'erased' ? [] : await readRows(context, column, sql`id = ${sample}`, 1);
      const canRead = kind !== 'erased' && (row === undefined || (await isReadable(context, column, row)));
      uses.push({
        place: column.place,
        keyId: keyId === PLAIN ? null : keyId,
        kind,
        rows: Number(used),
        isReadable: canRead,
      });
    }
  }
  return uses;
}

export interface SealedRow {
  readonly id: string;
  readonly teamId: string;
  readonly text: string;
}

export async function readRows(
  context: StoreContext,
  column: SealedColumn,
  isWanted: RawBuilder<boolean>,
  limit: number,
): Promise<readonly SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select id, team_id as "teamId", ${sql.ref(column.column)} as text from ${sql.table(column.table)}
    where ${isSealed(column)} and ${isWanted} order by id limit ${sql.lit(limit)}`.execute(context.db);
  return rows;
}

/** Undefined if unreadable. @throws {KeysUnavailableError} */
async function rewritten(
  { column }: SealedColumn,
  { id, text }: SealedRow,
  rewrite: (sealed: string, boundTo: string) => Promise<string>,
): Promise<string | undefined> {
  try {
    return column === 'answer' ? await rewriteDocuments(text, rewrite) : await rewrite(text, id);
  } catch (error) {
    if (error instanceof KeysUnavailableError) throw error;
    return undefined;
  }
}

async function isReadable({ cipher }: StoreContext, column: SealedColumn, row: SealedRow): Promise<boolean> {
  const opened = await rewritten(column, row, async (sealed, boundTo) => {
    await cipher.open(sealed, boundTo);
    return sealed;
  });
  return opened !== undefined;
}

/** Counts of a re-encryption. */
export interface Reencrypted {
  /** Data keys that the current key-encryption key encrypts now. */
  readonly keys: number;
  /** Rows sealed again. */
  readonly rows: number;
  /** Data keys and rows that no configured key opens. */
  readonly unreadable: number;
}

/**
 * Wraps data keys under the current key-encryption key, then seals rows under their team's current data key, in batches: plain text,
 * rows from before data keys, and rows under retired ones. Rows that change meanwhile are left for the next run; an interrupted run
 * continues.
 */
export async function resealFields(context: StoreContext, onProgress: (rows: number) => void): Promise<Reencrypted> {
  const { cipher } = context;
  const { keys, failed } = await context.dataKeys.rewrap();
  let count = 0;
  let unreadable = failed;
  for (const column of sealedColumns) {
    let after = '';
    for (;;) {
      const isWanted = sql<boolean>`${keyIdOf(context, column)} not in (
        select id from quote_data_key where retired_at is null or erased_at is not null) and id > ${after}`;
      const rows = await readRows(context, column, isWanted, ROWS_AT_ONCE);
      const reseal = async ({ teamId }: SealedRow, sealed: string, boundTo: string) =>
        cipher.seal(teamId, await cipher.open(sealed, boundTo), boundTo);
      const texts = await Promise.all(rows.map((row) => rewritten(column, row, (...text) => reseal(row, ...text))));
      const changes = rows.flatMap((row, index) => {
        const text = texts[index];
        return text === undefined ? [] : [{ ...row, sealed: text }];
      });
      unreadable += rows.length - changes.length;
      await context.database.transaction<QuoteTables, void>(async (tx) => {
        for (const { id, text, sealed } of changes) {
          await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${sealed}
            where id = ${id} and ${sql.ref(column.column)} = ${text}`.execute(tx);
        }
      });
      count += changes.length;
      if (changes.length > 0) onProgress(count);
      if (rows.length < ROWS_AT_ONCE) break;
      after = rows.at(-1)!.id;
    }
  }
  return { keys, rows: count, unreadable };
}

/** Each key at hand leaves a value that only it opens. @throws {UnreadableFieldsError} if stored data needs another key. */
export async function checkFieldKeys(context: StoreContext): Promise<void> {
  const { db, encryption } = context;
  const keyRows = await db.selectFrom('quote_field_key').selectAll().execute();
  // Older databases have no list: read the data once.
  const ids = keyRows.length > 0 ? keyRows.map(({ key_id: id }) => id) : await findKeys(context);
  const { local, services } = readKeys(encryption);
  const checks = new Map(keyRows.map(({ key_id: id, check_value: check }) => [id, check]));
  const missing: string[] = [];
  const wrong: string[] = [];
  for (const id of new Set([...ids, encryption?.current.id ?? PLAIN])) {
    const key = local.get(id);
    const check = checks.get(id) ?? null;
    if (id === PLAIN || services.has(id)) {
      if (check === null) await keepKey(context, id, PLAIN);
    } else if (key !== undefined) {
      if (check !== null && !opens(key, check)) wrong.push(id);
      else if (check === null && (await isUsed(context, id, true))) wrong.push(id);
      else if (check === null) await keepKey(context, id, sealUnder(key, { check: id }, `key ${id}`));
    } else if (await isUsed(context, id, false)) {
      missing.push(id);
    } else {
      await db.deleteFrom('quote_field_key').where('key_id', '=', id).execute();
    }
  }
  if (missing.length + wrong.length > 0) throw new UnreadableFieldsError(missing, wrong);
}

function opens(key: SecretKey, check: string): boolean {
  try {
    return openUnder(key, check, `key ${key.id}`)['check'] === key.id;
  } catch {
    return false;
  }
}

async function findKeys(context: StoreContext): Promise<string[]> {
  const ids = new Set((await readFieldKeyUse(context)).map(({ keyId }) => keyId ?? PLAIN));
  await context.database.transaction<QuoteTables, void>(async (tx) => {
    for (const id of ids) await keepKey(context, id, null, tx);
  });
  return [...ids];
}

/** @param unopened Count only data that the configured key does not open. */
async function isUsed(context: StoreContext, keyId: string, unopened: boolean): Promise<boolean> {
  const { rows: keys } = await sql<{ id: string }>`
    select id from quote_data_key where key_id = ${keyId} and erased_at is null limit 1`.execute(context.db);
  const [key] = keys;
  if (key !== undefined && !(unopened && (await opensKey(context, key.id)))) return true;
  for (const column of sealedColumns) {
    const [row] = await readRows(context, column, sql`${keyIdOf(context, column)} = ${keyId}`, 1);
    if (row !== undefined && !(unopened && (await isReadable(context, column, row)))) return true;
  }
  return false;
}

function opensKey({ dataKeys }: StoreContext, id: string): Promise<boolean> {
  return dataKeys.byId(id).then(
    () => true,
    () => false,
  );
}

async function keepKey({ db, now }: StoreContext, keyId: string, check: string | null, on: Db = db): Promise<void> {
  await sql`
    insert into quote_field_key (key_id, check_value, created_at) values (${keyId}, ${check}, ${now()})
    on conflict (key_id) do update set check_value = coalesce(quote_field_key.check_value, excluded.check_value)`.execute(
    on,
  );
}
