import { type RawBuilder, sql } from 'kysely';
import type { Db, StoreContext } from './store-context.ts';
import { resealDocuments } from './stored-answer.ts';
import type { QuoteTables } from './tables.ts';

/** Places of sealed text. */
export type SealedPlace = 'fields' | 'pending' | 'documents' | 'webhooks' | 'exchanges' | 'watched_homes';

/** Rows of one place under one key. */
export interface FieldKeyUse {
  readonly place: SealedPlace;
  /** Null: plain text. */
  readonly keyId: string | null;
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

/** An SQL expression; empty for plain text. */
export function keyIdOf(context: StoreContext, column: SealedColumn): RawBuilder<string> {
  const text = sealedText(context, column);
  const from = sql.lit(SCHEME.length + 1);
  const id =
    context.database.engine === 'postgres'
      ? sql`split_part(${text}, '.', 2)`
      : sql`substr(${text}, ${from}, instr(substr(${text}, ${from}), '.') - 1)`;
  return sql`case when ${text} like ${`${SCHEME}%`} then ${id} else ${PLAIN} end`;
}

function isSealed({ column }: SealedColumn): RawBuilder<boolean> {
  const text = sql.ref(column);
  return column === 'answer' ? sql`${text} like ${`%${SEALED}%`}` : sql`${text} is not null`;
}

/** Rows by key. Reads all stored data. */
export async function readFieldKeyUse(context: StoreContext): Promise<FieldKeyUse[]> {
  const uses: FieldKeyUse[] = [];
  for (const column of sealedColumns) {
    const { rows } = await sql<{ key_id: string; used: number }>`
      select key_id, count(*) as used
      from (select ${keyIdOf(context, column)} as key_id from ${sql.table(column.table)} where ${isSealed(column)}) as sealed
      group by key_id order by key_id`.execute(context.db);
    for (const { key_id: keyId, used } of rows) {
      const isReadable = keyId === PLAIN || (await opensSample(context, column, keyId));
      uses.push({ place: column.place, keyId: keyId === PLAIN ? null : keyId, rows: Number(used), isReadable });
    }
  }
  return uses;
}

export interface SealedRow {
  readonly id: string;
  readonly text: string;
}

export async function readRows(
  context: StoreContext,
  column: SealedColumn,
  isWanted: RawBuilder<boolean>,
  limit: number,
): Promise<readonly SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select id, ${sql.ref(column.column)} as text from ${sql.table(column.table)}
    where ${isSealed(column)} and ${isWanted} order by id limit ${sql.lit(limit)}`.execute(context.db);
  return rows;
}

async function opensSample(context: StoreContext, column: SealedColumn, keyId: string): Promise<boolean> {
  const [row] = await readRows(context, column, sql`${keyIdOf(context, column)} = ${keyId}`, 1);
  return row === undefined || resealed(context, column, row) !== undefined;
}

/** Sealed under the current key; undefined if unreadable. */
function resealed({ cipher }: StoreContext, { column }: SealedColumn, { id, text }: SealedRow): string | undefined {
  try {
    return column === 'answer' ? resealDocuments(text, cipher) : cipher.seal(cipher.open(text, id), id);
  } catch {
    return undefined;
  }
}

/**
 * Seals other data, also plain text, under the current key, in batches. Rows that change meanwhile are left for the next run; an
 * interrupted run continues. @returns the numbers of resealed and unreadable rows.
 */
export async function resealFields(
  context: StoreContext,
  onProgress: (rows: number) => void,
): Promise<{ readonly rows: number; readonly unreadable: number }> {
  const current = context.cipher.currentKeyId ?? PLAIN;
  let count = 0;
  let unreadable = 0;
  for (const column of sealedColumns) {
    let after = '';
    for (;;) {
      const isWanted = sql<boolean>`${keyIdOf(context, column)} <> ${current} and id > ${after}`;
      const rows = await readRows(context, column, isWanted, ROWS_AT_ONCE);
      const changes = rows.flatMap((row) => {
        const text = resealed(context, column, row);
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
  return { rows: count, unreadable };
}

/** Each key of stored data leaves a value that only it opens. @throws {UnreadableFieldsError} if stored data needs another key. */
export async function checkFieldKeys(context: StoreContext): Promise<void> {
  const { cipher, db } = context;
  const keyRows = await db.selectFrom('quote_field_key').selectAll().execute();
  // Older databases have no list: read the data once.
  const ids = keyRows.length > 0 ? keyRows.map(({ key_id: id }) => id) : await findKeys(context);
  const current = cipher.currentKeyId ?? PLAIN;
  const checks = new Map(keyRows.map(({ key_id: id, check_value: check }) => [id, check]));
  const missing: string[] = [];
  const wrong: string[] = [];
  for (const id of new Set([...ids, current])) {
    if (id === PLAIN || cipher.hasKey(id)) {
      const check = checks.get(id) ?? null;
      if (check !== null && !opens(context, id, check)) wrong.push(id);
      else if (check === null && (await isUsed(context, id, true))) wrong.push(id);
      else if (check === null)
        await keepKey(context, id, cipher.hasKey(id) ? cipher.sealUnder(id, { check: id }, `key ${id}`) : PLAIN);
    } else if (await isUsed(context, id, false)) {
      missing.push(id);
    } else {
      await db.deleteFrom('quote_field_key').where('key_id', '=', id).execute();
    }
  }
  if (missing.length + wrong.length > 0) throw new UnreadableFieldsError(missing, wrong);
}

function opens({ cipher }: StoreContext, id: string, check: string): boolean {
  if (check === PLAIN) return true;
  try {
    return cipher.open(check, `key ${id}`)['check'] === id;
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
  if (keyId === PLAIN) return false;
  for (const column of sealedColumns) {
    const [row] = await readRows(context, column, sql`${keyIdOf(context, column)} = ${keyId}`, 1);
    if (row !== undefined && !(unopened && resealed(context, column, row) !== undefined)) return true;
  }
  return false;
}

async function keepKey({ db, now }: StoreContext, keyId: string, check: string | null, on: Db = db): Promise<void> {
  await sql`
    insert into quote_field_key (key_id, check_value, created_at) values (${keyId}, ${check}, ${now()})
    on conflict (key_id) do update set check_value = coalesce(quote_field_key.check_value, excluded.check_value)`.execute(
    on,
  );
}
