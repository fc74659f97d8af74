import type { FormType, JsonObject } from '@leeward/terms';
import { sql } from 'kysely';
import type { VerdictReason } from '../ports/verdict-source.ts';
import { openFields } from './lease.ts';
import { holdsPass } from './passes.ts';
import { recordOfWhole } from './record-events.ts';
import { type Db, micros, type StoreContext } from './store-context.ts';
import { parseAnswer } from './stored-answer.ts';
import type { QuoteTables, RateRow } from './tables.ts';

/*
 * Closures: carriers that events close for the homes of open quotes. A pass evaluates the open quotes again; `quote_rate.closed` keeps the
 * result (null: not evaluated, 0: open, 1: closed). A change of it and its event are written in one transaction, so passes of
 * several processes report each change once. One process at a time runs a pass, see `passes.ts`.
 */

/** A quote whose carriers may be closed or reopened. */
export interface OpenQuote {
  readonly quoteId: string;
  readonly teamId: string;
  readonly effectiveDate: string;
  readonly fields: JsonObject;
  readonly rates: readonly OpenRate[];
}

/** A rate that is unfinished, or that a team could bind, or that a closed carrier refused. */
export interface OpenRate {
  readonly rateId: string;
  readonly carrierKey: string;
  readonly carrier: string;
  readonly formType: FormType;
  readonly wasClosed: boolean;
  /** True if the answer of the rate reports the closure. */
  readonly isReported: boolean;
}

/** A carrier of a quote that events closed, or that is open again. */
export interface CarrierChange {
  readonly rateId: string;
  readonly carrierKey: string;
  readonly carrier: string;
  readonly formType: FormType;
  readonly change: 'closed' | 'reopened';
  /** Empty if it is open again. */
  readonly reasons: readonly VerdictReason[];
}

export interface OpenQuotesQuery {
  readonly teamId: string;
  /** Exclusive; the newest quote comes first. */
  readonly before: string | undefined;
  readonly maxAgeMs: number;
  /** Only quotes with closed rates. */
  readonly isClosedOnly: boolean;
  readonly limit: number;
}

const isOpen = sql`superseded_by is null and (status in ('queued', 'processing', 'success') or outcome = 'ineligible')`;

function isQuoteOpen({ now }: StoreContext, maxAgeMs: number) {
  return sql`fields is not null and quote_request.created_at > ${now()} - ${sql.lit(micros(maxAgeMs))}`;
}

/** Jumps from team to team in the index, or reads the closed rates. */
export async function teamsWithOpenQuotes(
  context: StoreContext,
  { maxAgeMs, isClosedOnly }: Pick<OpenQuotesQuery, 'maxAgeMs' | 'isClosedOnly'>,
): Promise<string[]> {
  const isRecent = isQuoteOpen(context, maxAgeMs);
  const next = (after: ReturnType<typeof sql>) => sql`(select min(quote_request.team_id) from quote_request ${after})`;
  const teams = isClosedOnly
    ? sql`
        select distinct quote_request.team_id from quote_rate join quote_request on quote_request.id = quote_id
        where closed = 1 and ${isRecent}`
    : sql`
        with recursive team (team_id) as (
          select ${next(sql``)} union all
          select ${next(sql`where quote_request.team_id > team.team_id`)} from team where team_id is not null
        )
        select team_id from team
        where exists (select 1 from quote_request where quote_request.team_id = team.team_id and ${isRecent})`;
  const { rows } = await sql<{ team_id: string }>`${teams} order by 1`.execute(context.db);
  return rows.map(({ team_id: id }) => id);
}

type OpenRateRow = Pick<
  RateRow,
  'id' | 'quote_id' | 'carrier_key' | 'carrier' | 'form_type' | 'outcome' | 'answer' | 'closed'
>;

/** Newest first. `next` continues the list; undefined at its end. Quotes that cannot be decrypted are left out. */
export async function readOpenQuotes(
  context: StoreContext,
  query: OpenQuotesQuery,
): Promise<{ readonly quotes: OpenQuote[]; readonly next: string | undefined }> {
  const { teamId, before, maxAgeMs, isClosedOnly, limit } = query;
  const isAffected = isClosedOnly
    ? sql`and exists (select 1 from quote_rate where quote_id = quote_request.id and closed = 1)`
    : sql``;
  const { rows } = await sql<{ id: string; effective_date: string; fields: string }>`
    select id, effective_date, fields from quote_request
    where team_id = ${teamId} and ${isQuoteOpen(context, maxAgeMs)} ${isAffected}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${sql.lit(limit)}`.execute(context.db);
  if (rows.length === 0) return { quotes: [], next: undefined };
  const { rows: rates } = await sql<OpenRateRow>`
    select id, quote_id, carrier_key, carrier, form_type, outcome, answer, closed from quote_rate
    where quote_id in (${sql.join(rows.map(({ id }) => id))}) and ${isOpen} order by quote_id, position, id`.execute(
    context.db,
  );
  const ratesOf = Map.groupBy(rates, (rate) => rate.quote_id);
  const opened = await Promise.all(rows.map((row) => openFields(context, row.fields, row.id)));
  const quotes = rows.flatMap((row, index): OpenQuote[] => {
    const fields = opened[index]!;
    const open = ratesOf.get(row.id) ?? [];
    if (typeof fields === 'string' || open.length === 0) return [];
    return [{ quoteId: row.id, teamId, effectiveDate: row.effective_date, fields, rates: open.map(toOpenRate) }];
  });
  return { quotes, next: rows.length < limit ? undefined : rows.at(-1)!.id };
}

function toOpenRate(row: OpenRateRow): OpenRate {
  const isRefused = row.outcome === 'ineligible';
  const isRefusedForNow =
    isRefused && parseAnswer(row.answer)?.messages?.some(({ code }) => code === 'moratorium') === true;
  return {
    rateId: row.id,
    carrierKey: row.carrier_key,
    carrier: row.carrier,
    formType: row.form_type as FormType,
    wasClosed: row.closed === null ? isRefusedForNow : row.closed === 1,
    isReported: isRefused,
  };
}

/** Stores the changes of one quote with their event. @returns the changes that were reported; undefined if the pass was lost */
export function recordClosures(
  context: StoreContext,
  token: string,
  quoteId: string,
  changes: readonly (CarrierChange & { readonly isReported: boolean })[],
): Promise<readonly CarrierChange[] | undefined> {
  return context.database.transaction<QuoteTables, readonly CarrierChange[] | undefined>(async (tx) => {
    if (!(await holdsPass(context, tx, { kind: 'closures', token }))) return undefined;
    const changed = new Set([
      ...(await setClosed(tx, quoteId, changes, 'closed')),
      ...(await setClosed(tx, quoteId, changes, 'reopened')),
    ]);
    const news = changes.filter((each) => changed.has(each.rateId) && !(each.isReported && each.change === 'closed'));
    const reported = news.map(({ isReported: _, ...change }) => change);
    if (reported.length > 0)
      await recordOfWhole(context, tx, quoteId, 'quote.affected', JSON.stringify({ carriers: reported }));
    return reported;
  });
}

async function setClosed(
  tx: Db,
  quoteId: string,
  changes: readonly CarrierChange[],
  change: CarrierChange['change'],
): Promise<string[]> {
  const ids = changes.filter((each) => each.change === change).map(({ rateId }) => rateId);
  if (ids.length === 0) return [];
  const closed = sql.lit(change === 'closed' ? 1 : 0);
  const { rows } = await sql<{ id: string }>`
    update quote_rate set closed = ${closed}
    where quote_id = ${quoteId} and id in (${sql.join(ids)}) and (closed is null or closed <> ${closed})
      and exists (select 1 from quote_request where id = ${quoteId} and erased_at is null)
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}
