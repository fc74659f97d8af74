import { type RawBuilder, sql } from 'kysely';
import { erasePending, eraseQuotes, overwrite } from './erase.ts';
import { isUnder, ROWS_AT_ONCE, readRows, type SealedColumn, type SealedRow, sealedColumns } from './field-keys.ts';
import type { StoreContext } from './store-context.ts';
import { dropDocuments } from './stored-answer.ts';
import { removeWatchedHomes } from './watched-homes.ts';
import { sealSecret } from './webhook-secrets.ts';

/** Counts of data erased because its key is lost. */
export interface ErasedUnderKey {
  /** Quotes whose fields it encrypted. */
  readonly quotes: number;
  /** Rates of other quotes that lost their documents, or ended before their carrier answered. */
  readonly rates: number;
  /** Disabled, with a new secret. */
  readonly webhooks: number;
}

/** An erased quote. */
export interface ErasedQuote {
  readonly quoteId: string;
  readonly teamId: string;
}

interface EraseOptions {
  readonly newSecret: () => string;
  readonly onErased: (quotes: readonly ErasedQuote[]) => Promise<void>;
}

const lostSecret = 'Its secret was encrypted under a key that is lost: rotate the secret, then enable this webhook.';

/** Works in batches and keeps data that other keys decrypt. An interrupted run continues. */
export async function eraseUnderKey(
  context: StoreContext,
  keyId: string,
  options: EraseOptions,
): Promise<ErasedUnderKey> {
  const counts = { quotes: 0, rates: 0, webhooks: 0 };
  // First: nothing is sealed under them any more.
  await context.dataKeys.eraseUnder(keyId);
  for (const column of sealedColumns) {
    for (let after = ''; ; ) {
      const isWanted = sql<boolean>`${isUnder(context, column, keyId)} and id > ${after}`;
      const rows = await readRows(context, column, isWanted, ROWS_AT_ONCE);
      if (rows.length > 0) await eraseRows(context, column, rows, { ...options, counts });
      if (rows.length < ROWS_AT_ONCE) break;
      after = rows.at(-1)!.id;
    }
  }
  await overwrite(context);
  return counts;
}

async function eraseRows(
  context: StoreContext,
  { table, column }: SealedColumn,
  rows: readonly SealedRow[],
  { newSecret, onErased, counts }: EraseOptions & { counts: { quotes: number; rates: number; webhooks: number } },
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const change = async (set: (row: SealedRow) => RawBuilder<unknown> | Promise<RawBuilder<unknown>>) => {
    let changed = 0;
    for (const row of rows) {
      const { numAffectedRows = 0n } = await sql`
        update ${sql.table(table)} set ${await set(row)} where id = ${row.id} and ${sql.ref(column)} = ${row.text}`.execute(
        context.db,
      );
      changed += Number(numAffectedRows);
    }
    return changed;
  };
  switch (column) {
    case 'fields': {
      const { quoteIds } = await eraseQuotes(context, ids);
      counts.quotes += quoteIds.length;
      if (quoteIds.length === 0) return;
      const quotes = context.db.selectFrom('quote_request').select(['id as quoteId', 'team_id as teamId']);
      return onErased(await quotes.where('id', 'in', quoteIds).execute());
    }
    case 'pending':
      counts.rates += await erasePending(context, ids);
      return;
    case 'answer':
      counts.rates += await change(({ text }) => sql`answer = ${dropDocuments(text)}`);
      return;
    case 'secret':
      counts.webhooks += await change(
        async ({ id, teamId }) => sql`secret = ${await sealSecret(context, { id, teamId, secret: newSecret() })},
          disabled_at = coalesce(disabled_at, ${context.now()}), disabled_reason = ${lostSecret}`,
      );
      return;
    case 'previous_secret':
      await change(() => sql`previous_secret = null, previous_until = null`);
      return;
    case 'content':
      if (table === 'quote_watched_home') await removeWatchedHomes(context, { ids });
      else await sql`delete from quote_exchange where id in (${sql.join(ids)})`.execute(context.db);
  }
}
