import { isSerializationFailure } from '@leeward/database';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { inputTable } from './input-table.ts';
import { eventSteps, recordEvents } from './record-events.ts';
import type { Db, StoreContext } from './store-context.ts';
import type { ChangedRow, QuoteTables } from './tables.ts';
import { canMove, move, type RateTransition } from './transitions.ts';

/** The right to work on a rate, ended by a later claim's higher fence. */
export interface Hold {
  readonly rateId: string;
  readonly fence: number;
}

export interface RateChange {
  readonly transition: RateTransition;
  /** See {@link move}. */
  readonly at?: RawBuilder<unknown>;
  readonly inputs?: RawBuilder<unknown>;
  readonly set: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  readonly reason: RawBuilder<unknown>;
  /** Rates end, or ended rates change: the quote gets events. */
  readonly ends?: true;
  /** Columns in addition to {@link ChangedRow}. */
  readonly besides?: RawBuilder<unknown>;
}

/**
 * Changes rates and records the transitions, both or neither. One statement on PostgreSQL saves round trips; SQLite cannot combine them
 * and gets two in a transaction. @param tx @default a new transaction
 */
export async function changeRates<Row extends ChangedRow = ChangedRow>(
  context: StoreContext,
  change: RateChange,
  tx?: Db,
): Promise<readonly Row[]> {
  if (context.database.engine === 'postgres') {
    return tx === undefined
      ? untilUndisturbed(() => inOne<Row>(context, change, context.db))
      : inOne<Row>(context, change, tx);
  }
  if (tx !== undefined) return inTwo<Row>(context, change, tx);
  return context.database.transaction<QuoteTables, readonly Row[]>((own: Transaction<QuoteTables>) =>
    inTwo<Row>(context, change, own),
  );
}

async function inOne<Row>(context: StoreContext, change: RateChange, db: Db): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    with ${change.inputs === undefined ? sql`` : sql`${change.inputs},`}
    changed as (${update(change)} returning quote_rate.*),
    recorded as (
      insert into quote_rate_event ${eventColumns}
      select id, transitions, ${context.now()}, previous_status, status, ${change.reason}, fence from changed
      on conflict do nothing
    )${change.ends ? eventSteps(context) : sql``}
    select ${rowColumns(context, change)} from changed`.execute(db);
  return rows;
}

async function inTwo<Row extends ChangedRow>(
  context: StoreContext,
  change: RateChange,
  tx: Db,
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    ${change.inputs === undefined ? sql`` : sql`with ${change.inputs}`} ${update(change)} returning ${rowColumns(context, change)}`.execute(
    tx,
  );
  if (rows.length === 0) return rows;
  // A claim that was sent twice changes the status once.
  const changed = rows.map((row) => ({ input_id: row.id }));
  await sql`
    with ${inputTable(context, { input_id: 'text' }, changed)}
    insert into quote_rate_event ${eventColumns}
    select id, transitions, ${context.now()}, previous_status, status, ${change.reason}, fence
    from input join quote_rate on id = input_id
    where true
    on conflict do nothing`.execute(tx);
  if (change.ends) await recordEvents(context, rows, tx);
  return rows;
}

const eventColumns = sql`(rate_id, number, at, from_status, to_status, reason, fence)`;

function update({ transition, at, inputs: rows, set, where }: RateChange): RawBuilder<unknown> {
  const from = rows === undefined ? sql`` : sql`from input`;
  return sql`
    update quote_rate set previous_status = status, ${move(transition, at)}, ${set} ${from}
    where ${canMove(transition)} and ${where}`;
}

function rowColumns(context: StoreContext, { besides }: RateChange): RawBuilder<unknown> {
  const more = besides === undefined ? sql`` : sql`, ${besides}`;
  return sql`id, quote_id, team_id, carrier_key, form_type, status, previous_status, fence, attempts, sent_fence,
    deadline_at - ${context.now()} as remaining${more}`;
}

/** Lists with the same rates in different order can deadlock: retry. */
export async function untilUndisturbed<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 3 || !isSerializationFailure(error)) throw error;
    }
  }
}
