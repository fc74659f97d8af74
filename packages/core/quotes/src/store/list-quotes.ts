import type { StoredInteger } from '@leeward/database';
import type { Cents, FormType, JsonObject, Micros } from '@leeward/terms';
import { type RawBuilder, sql } from 'kysely';
import type { RateType } from '../ports/carrier-adapter.ts';
import { openFields } from './lease.ts';
import { quoteColumns, type StoredQuote, toQuote } from './read-quotes.ts';
import type { StoreContext } from './store-context.ts';
import type { QuoteRow } from './tables.ts';

export interface QuoteListQuery {
  readonly teamId: string;
  readonly productCode?: string | undefined;
  readonly status?: 'processing' | 'complete' | undefined;
  readonly before?: { readonly at: Micros; readonly id: string } | undefined;
  readonly limit: number;
}

export interface ListedQuote {
  readonly quote: StoredQuote;
  /** Undefined if erased or unreadable. */
  readonly fields: JsonObject | undefined;
  readonly processing: number;
  readonly success: number;
  readonly error: number;
  readonly minCents: Cents | undefined;
  readonly maxCents: Cents | undefined;
  /** Form types of the rates. */
  readonly formTypes: readonly FormType[];
  /** The lowest premium of the firmest rate type. */
  readonly best: { readonly cents: Cents; readonly rateType: RateType } | undefined;
}

interface TotalsRow {
  readonly quote_id: string;
  readonly processing: number;
  readonly success: number;
  readonly error: number;
  readonly min_cents: StoredInteger | null;
  readonly max_cents: StoredInteger | null;
  readonly bindable_cents: StoredInteger | null;
  readonly quoted_cents: StoredInteger | null;
}

/** Newest first. */
export async function listQuotes(context: StoreContext, query: QuoteListQuery): Promise<ListedQuote[]> {
  const { teamId, productCode, status, before, limit } = query;
  const open = sql`select quote_id from quote_progress where team_id = ${teamId} and open_rates > 0`;
  const conditions: RawBuilder<unknown>[] = [sql`team_id = ${teamId}`];
  if (productCode !== undefined) conditions.push(sql`product_code = ${productCode}`);
  if (status !== undefined) conditions.push(sql`id ${sql.raw(status === 'processing' ? 'in' : 'not in')} (${open})`);
  if (before !== undefined) conditions.push(sql`(created_at, id) < (cast(${before.at} as bigint), ${before.id})`);
  const { rows } = await sql<Pick<QuoteRow, (typeof quoteColumns)[number] | 'fields'>>`
    select ${sql.join(quoteColumns.map((name) => sql.ref(name)))}, fields from quote_request
    where ${sql.join(conditions, sql` and `)}
    order by created_at desc, id desc limit ${sql.lit(limit)}`.execute(context.db);
  if (rows.length === 0) return [];
  const isIn = sql`quote_id in (${sql.join(rows.map(({ id }) => id))}) and superseded_by is null`;
  const { rows: totals } = await sql<TotalsRow>`
    select quote_id, ${countOf("status in ('queued', 'processing')")} as processing,
      ${countOf("status = 'success'")} as success, ${countOf("status = 'error'")} as error,
      min(case when outcome = 'quoted' then premium_cents end) as min_cents,
      max(case when outcome = 'quoted' then premium_cents end) as max_cents,
      ${lowestOf('bindable')} as bindable_cents, ${lowestOf('quoted')} as quoted_cents
    from quote_rate where ${isIn} group by quote_id`.execute(context.db);
  const { rows: forms } = await sql<{ readonly quote_id: string; readonly form_type: FormType }>`
    select quote_id, form_type from quote_rate where ${isIn} group by quote_id, form_type
    order by quote_id, min(position)`.execute(context.db);
  const totalsOf = new Map(totals.map((each) => [each.quote_id, each]));
  const cents = (value: StoredInteger | null | undefined) => (value == null ? undefined : BigInt(value));
  return Promise.all(
    rows.map(async (row) => {
      const totalsOfQuote = totalsOf.get(row.id);
      const { processing = 0, success = 0, error = 0, min_cents, max_cents } = totalsOfQuote ?? {};
      const fields = await openFields(context, row.fields, row.id);
      return {
        quote: toQuote(row),
        fields: typeof fields === 'string' ? undefined : fields,
        ...{ processing, success, error, minCents: cents(min_cents), maxCents: cents(max_cents) },
        formTypes: forms.flatMap((each) => (each.quote_id === row.id ? [each.form_type] : [])),
        best: totalsOfQuote && bestOf(totalsOfQuote),
      };
    }),
  );
}

function countOf(condition: string): RawBuilder<number> {
  return sql`sum(case when ${sql.raw(condition)} then 1 else 0 end)`;
}

/** `formatAnswer` writes no spaces, and escapes quotation marks of texts. */
function lowestOf(type: RateType): RawBuilder<StoredInteger | null> {
  const member = `%"rateType":"${type}"%`;
  return sql`min(case when outcome = 'quoted' and answer like ${member} then premium_cents end)`;
}

function bestOf({ bindable_cents, quoted_cents, min_cents }: TotalsRow): ListedQuote['best'] {
  if (bindable_cents !== null) return { cents: BigInt(bindable_cents), rateType: 'bindable' };
  if (quoted_cents !== null) return { cents: BigInt(quoted_cents), rateType: 'quoted' };
  return min_cents === null ? undefined : { cents: BigInt(min_cents), rateType: 'indication' };
}
