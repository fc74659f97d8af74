import type { FormType, JsonObject } from '@leeward/terms';
import { sql } from 'kysely';
import type { VerdictReason } from '../ports/verdict-source.ts';
import { openFields } from './lease.ts';
import { recordAffected } from './record-events.ts';
import { type Db, micros, type StoreContext } from './store-context.ts';
import { parseAnswer } from './stored-answer.ts';
import type { QuoteTables, RateRow } from './tables.ts';

/*
 * Closures: carriers that events close for the homes of open quotes. A pass evaluates the open quotes again; `quote_rate.closed` keeps the
 * result (null: not evaluated, 0: open, 1: closed). A change of it and its event are written in one transaction, so passes of
 * several processes report each change once. The row of `quote_closure_pass` gives a pass to one process at a time.
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
  const quotes = rows.flatMap((row): OpenQuote[] => {
    const fields = openFields(context, row.fields, row.id);
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

/** A pass that this process runs. */
export interface ClosurePass {
  readonly token: string;
  /** Undefined: a pass over closed rates only. */
  readonly stamp: string | undefined;
}

/**
 * `done`: a pass for this stamp has ended. `busy`: another process runs it, or ran one over closed rates within `everyMs`.
 */
export async function claimClosurePass(
  context: StoreContext,
  { token, stamp }: ClosurePass,
  { leaseMs, everyMs }: { readonly leaseMs: number; readonly everyMs: number },
): Promise<'claimed' | 'done' | 'busy'> {
  const { db, now } = context;
  const isFree = sql`(owner is null or lease_until <= ${now()})`;
  const isDue =
    stamp === undefined
      ? sql`${isFree} and (checked_at is null or checked_at <= ${now()} - ${sql.lit(micros(everyMs))})`
      : sql`(done_stamp is null or done_stamp <> ${stamp}) and (${isFree} or stamp is null or stamp <> ${stamp})`;
  const claimed = await sql`
    update quote_closure_pass set owner = ${token}, stamp = ${stamp ?? null}, lease_until = ${now()} + ${sql.lit(micros(leaseMs))}
    where id = 1 and ${isDue}`.execute(db);
  if (Number(claimed.numAffectedRows ?? 0n) > 0) return 'claimed';
  const { rows } = await sql<{
    done_stamp: string | null;
  }>`select done_stamp from quote_closure_pass where id = 1`.execute(db);
  return stamp !== undefined && rows[0]?.done_stamp === stamp ? 'done' : 'busy';
}

/** False if another process took the pass over. */
export async function renewClosurePass({ db, now }: StoreContext, token: string, leaseMs: number): Promise<boolean> {
  const renewed = await sql`
    update quote_closure_pass set lease_until = ${now()} + ${sql.lit(micros(leaseMs))} where id = 1 and owner = ${token}`.execute(
    db,
  );
  return Number(renewed.numAffectedRows ?? 0n) > 0;
}

/** Ends a pass: completely, or so that another process can begin it again. */
export async function endClosurePass(
  { db, now }: StoreContext,
  { token, stamp }: ClosurePass,
  isComplete: boolean,
): Promise<void> {
  const done = isComplete && stamp !== undefined ? sql`, done_stamp = ${stamp}` : sql``;
  await sql`
    update quote_closure_pass set owner = null, lease_until = null, checked_at = ${now()} ${done}
    where id = 1 and owner = ${token}`.execute(db);
}

/** Stores the changes of one quote with their event. @returns the changes that were reported; undefined if the pass was lost */
export function recordClosures(
  context: StoreContext,
  token: string,
  quoteId: string,
  changes: readonly (CarrierChange & { readonly isReported: boolean })[],
): Promise<readonly CarrierChange[] | undefined> {
  const { database } = context;
  const lock = database.engine === 'postgres' ? sql`for share` : sql``;
  return database.transaction<QuoteTables, readonly CarrierChange[] | undefined>(async (tx) => {
    const { rows } = await sql`select 1 from quote_closure_pass where id = 1 and owner = ${token} ${lock}`.execute(tx);
    if (rows.length === 0) return undefined;
    const changed = new Set([
      ...(await setClosed(tx, quoteId, changes, 'closed')),
      ...(await setClosed(tx, quoteId, changes, 'reopened')),
    ]);
    const news = changes.filter((each) => changed.has(each.rateId) && !(each.isReported && each.change === 'closed'));
    const reported = news.map(({ isReported: _, ...change }) => change);
    if (reported.length > 0) await recordAffected(context, tx, quoteId, JSON.stringify({ carriers: reported }));
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
