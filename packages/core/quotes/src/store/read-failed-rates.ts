import type { FormType, Micros } from '@leeward/terms';
import { type RawBuilder, sql } from 'kysely';

import { type FaultOutcome, faultOutcomes } from '../ports/outcome.ts';
import { micros, type StoreContext } from './store-context.ts';
import { parseAnswer } from './stored-answer.ts';
import type { RateRow } from './tables.ts';
import { canMove, move } from './transitions.ts';

export interface FailedRatesQuery {
  /** `ended`: failed rates, newest first. `waiting`: unfinished rates, oldest first. */
  readonly state: 'ended' | 'waiting';
  readonly carrierKey?: string | undefined;
  readonly teamId?: string | undefined;
  /** @default all of {@link faultOutcomes} */
  readonly outcomes?: readonly FaultOutcome[] | undefined;
  /** Omits rates whose carrier may have done the work. @default false */
  readonly onlyRetryable?: boolean | undefined;
  readonly waitingMs: number;
  readonly after?: { readonly at: Micros; readonly id: string } | undefined;
  readonly limit: number;
}

export interface FailedRate {
  readonly id: string;
  readonly quoteId: string;
  readonly teamId: string;
  readonly carrierKey: string;
  readonly carrier: string;
  readonly formType: FormType;
  readonly outcome: FaultOutcome | undefined;
  /** A reason for waiting has no message. */
  readonly why: { readonly code: string; readonly message?: string | undefined };
  readonly retryable: boolean;
  readonly attempts: number;
  readonly createdAt: Micros;
  readonly finishedAt: Micros | undefined;
}

/** A carrier's rates that failed in the last day without a retry. */
export interface FailureCount {
  readonly carrierKey: string;
  readonly outcome: FaultOutcome;
  readonly count: number;
}

const isFault = sql`outcome in (${sql.join(faultOutcomes.map((outcome) => sql.lit(outcome)))})`;
/** Must equal the condition of the index. */
export const isFailed = sql`status = 'error' and superseded_by is null and ${isFault}`;

type FailedRow = Pick<
  RateRow,
  | 'id'
  | 'quote_id'
  | 'team_id'
  | 'carrier_key'
  | 'carrier'
  | 'form_type'
  | 'outcome'
  | 'answer'
  | 'retryable'
  | 'attempts'
  | 'created_at'
  | 'finished_at'
> & { readonly waits_for: string };

/** Omits erased quotes, whose carriers can no longer be called. */
export async function readFailedRates(context: StoreContext, query: FailedRatesQuery): Promise<FailedRate[]> {
  const { state, carrierKey, teamId, outcomes, onlyRetryable, waitingMs, after, limit } = query;
  const now = context.now();
  const conditions: RawBuilder<unknown>[] = [
    sql`exists (select 1 from quote_request where quote_request.id = quote_id and erased_at is null)`,
  ];
  if (carrierKey !== undefined) conditions.push(sql`carrier_key = ${carrierKey}`);
  if (teamId !== undefined) conditions.push(sql`team_id = ${teamId}`);
  if (state === 'ended') {
    conditions.push(isFailed);
    if (outcomes !== undefined) conditions.push(sql`outcome in (${sql.join(outcomes)})`);
    if (onlyRetryable) conditions.push(sql`retryable = 1`);
    if (after !== undefined) conditions.push(sql`(finished_at, id) < (cast(${after.at} as bigint), ${after.id})`);
  } else {
    conditions.push(
      sql`wake_at is not null and status in ('queued', 'processing')`,
      sql`created_at <= ${now} - ${sql.lit(micros(waitingMs))}`,
    );
    if (after !== undefined) conditions.push(sql`(created_at, id) > (cast(${after.at} as bigint), ${after.id})`);
  }
  const { rows } = await sql<FailedRow>`
    select id, quote_id, team_id, carrier_key, carrier, form_type, outcome, answer, retryable, attempts, created_at,
      finished_at, case
        when lease_until > ${now} then 'being_asked'
        when exists (select 1 from quote_carrier_rest as rest
          where rest.carrier_key = quote_rate.carrier_key and rest_until is null) then 'carrier_paused'
        when exists (select 1 from quote_carrier_rest as rest
          where rest.carrier_key = quote_rate.carrier_key and rest_until > ${now}) then 'carrier_resting'
        when pending is not null then 'pending'
        else coalesce(requeue_reason, 'in_turn') end as waits_for
    from quote_rate where ${sql.join(conditions, sql` and `)}
    order by ${state === 'ended' ? sql`finished_at desc, id desc` : sql`created_at, id`}
    limit ${sql.lit(limit)}`.execute(context.db);
  return rows.map(toFailedRate);
}

function toFailedRate(row: FailedRow): FailedRate {
  const hasEnded = row.finished_at !== null;
  return {
    id: row.id,
    quoteId: row.quote_id,
    teamId: row.team_id,
    carrierKey: row.carrier_key,
    carrier: row.carrier,
    formType: row.form_type as FormType,
    outcome: (row.outcome as FaultOutcome | null) ?? undefined,
    why: hasEnded ? (parseAnswer(row.answer)?.error ?? { code: row.outcome! }) : { code: row.waits_for },
    retryable: row.retryable === 1,
    attempts: row.attempts,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
  };
}

const DAY_MS = 86_400_000;

export async function countFailures(context: StoreContext): Promise<FailureCount[]> {
  const { rows } = await sql<{ carrier_key: string; outcome: FaultOutcome; count: number }>`
    select carrier_key, outcome, count(*) as count from quote_rate
    where ${isFailed} and finished_at > ${context.now()} - ${sql.lit(micros(DAY_MS))}
    group by carrier_key, outcome`.execute(context.db);
  return rows.map(({ carrier_key: carrierKey, outcome, count }) => ({ carrierKey, outcome, count }));
}

export async function carriersOfRates(
  context: StoreContext,
  rateIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (rateIds.length === 0) return new Map();
  const rows = await context.db
    .selectFrom('quote_rate')
    .select(['id', 'carrier_key'])
    .where('id', 'in', [...rateIds])
    .execute();
  return new Map(rows.map((row) => [row.id, row.carrier_key]));
}

/** @returns whether it was waiting. */
export async function makeRateDue(context: StoreContext, rateId: string): Promise<boolean> {
  const { rows } = await sql`
    update quote_rate set ${move('wake', context.now())}
    where id = ${rateId} and ${canMove('wake')} and wake_at > ${context.now()}
    returning id`.execute(context.db);
  return rows.length > 0;
}
