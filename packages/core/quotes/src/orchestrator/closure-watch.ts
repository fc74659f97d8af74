import { randomUUID } from 'node:crypto';
import { setImmediate as nextPass } from 'node:timers/promises';
import type { CarrierClosure, ClosureSource } from '../ports/closure-source.ts';
import type { CarrierChange, OpenQuote } from '../store/closures.ts';
import type { Pass } from '../store/passes.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteListener } from './quote-event.ts';

/*
 * After events changed, evaluates open quotes again, and reports the carriers that are closed or open for them. One process runs a pass:
 *
 *     change → claim → teams in turn, some quotes of each → done
 *                ├─ another process has the lease: look again when it is over
 *                └─ another change meanwhile: the pass ends, and a new one begins
 *
 * It keeps the lease until it stops: a process that reads events a moment later would undo what the first one reported.
 *
 * Every minute a pass over closed rates finds those that are open again without a change: hours after the end of an event passed.
 */

export interface ClosureWatchOptions {
  readonly store: Pick<
    SqlQuoteStore,
    | 'teamsWithOpenQuotes'
    | 'readOpenQuotes'
    | 'claimPass'
    | 'renewPass'
    | 'completePass'
    | 'releasePass'
    | 'recordClosures'
  >;
  readonly source: ClosureSource;
  readonly listener: QuoteListener;
  readonly wake: (quoteIds: readonly string[]) => void;
  /** Between passes over closed rates, in ms. @default 60_000 */
  readonly everyMs?: number;
  /** In ms. @default 15_000 */
  readonly leaseMs?: number;
}

export interface ClosureWatch {
  start(): void;
  /** Evaluates the open quotes if events changed since the last pass of any process. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;
const LEASE_MS = 15_000;
const RETRY_MS = 5_000;
/** Older quotes are not open: carriers' prices are valid for 30 days at most. */
const MAX_AGE_MS = 30 * 86_400_000;
/** Quotes of one team before those of another. */
const QUOTES_AT_ONCE = 10;
/** Bounds one pass; the newest quotes of each team come first. */
const MAX_QUOTES = 50_000;
const MAX_REASONS = 5;

export function createClosureWatch(options: ClosureWatchOptions): ClosureWatch {
  const { store, source, listener, wake, everyMs = EVERY_MS, leaseMs = LEASE_MS } = options;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  /** Undefined: nothing to do. `all` includes `closed`. */
  let nextScope: 'all' | 'closed' | undefined;
  let retry: NodeJS.Timeout | undefined;
  let interval: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let unsubscribe = () => {};
  const lease = { kind: 'closures', token: randomUUID() } as const;
  let hasLease = false;

  const request = (pass: 'all' | 'closed'): Promise<void> => {
    if (stopping.signal.aborted) return Promise.resolve();
    if (nextScope !== 'all') nextScope = pass;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
  const requestLater = (delayMs: number) => {
    clearTimeout(retry);
    retry = setTimeout(() => void request('all'), delayMs);
    retry.unref();
  };
  const run = async () => {
    while (nextScope !== undefined && !stopping.signal.aborted) {
      const isAll = nextScope === 'all';
      nextScope = undefined;
      try {
        await check(isAll);
      } catch (error) {
        report(error);
        if (isAll) requestLater(RETRY_MS);
      }
    }
  };
  const report = (error: unknown) => listener({ type: 'failure', where: 'closures', error });
  const release = async () => {
    if (hasLease) await store.releasePass(lease);
    hasLease = false;
  };
  const check = async (isAll: boolean) => {
    const stamp = await source.stamp();
    // As soon as the events are known, the source notifies. Until then another process may know them.
    if (stamp === undefined) return release();
    const pass: Pass = { ...lease, stamp: isAll ? stamp : undefined };
    const claim = await store.claimPass(pass, { leaseMs, everyMs: everyMs * 0.8 });
    if (claim === 'busy' && isAll) requestLater(leaseMs);
    if (claim !== 'claimed') return;
    hasLease = true;
    const isOver = () => stopping.signal.aborted || nextScope === 'all';
    if (await evaluate(pass, { store, source, listener, wake, leaseMs }, isOver)) await store.completePass(pass);
    else if (!isOver()) await release();
  };
  const renew = async () => {
    if (hasLease) hasLease = await store.renewPass(lease, leaseMs);
  };
  return {
    start() {
      unsubscribe = source.subscribe(() => void request('all'));
      interval = setInterval(() => void request('closed'), everyMs);
      interval.unref();
      renewal = setInterval(() => void renew().catch(report), leaseMs / 3);
      renewal.unref();
      void request('all');
    },
    check: () => request('all'),
    async stop() {
      stopping.abort();
      unsubscribe();
      clearInterval(interval);
      clearInterval(renewal);
      clearTimeout(retry);
      await running;
      await release().catch(report);
    },
  };
}

type PassTools = Pick<ClosureWatchOptions, 'store' | 'source' | 'listener' | 'wake'> & { readonly leaseMs: number };

/** @returns false if it was ended before the last quote */
async function evaluate(pass: Pass, tools: PassTools, isOver: () => boolean): Promise<boolean> {
  const { store, listener, leaseMs } = tools;
  const startedAt = performance.now();
  const query = { maxAgeMs: MAX_AGE_MS, isClosedOnly: pass.stamp === undefined };
  const count = { quotes: 0, closed: 0, reopened: 0 };
  const queue: { readonly teamId: string; readonly before: string | undefined }[] = (
    await store.teamsWithOpenQuotes(query)
  ).map((teamId) => ({ teamId, before: undefined }));
  for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
    if (isOver() || !(await store.renewPass(pass, leaseMs))) return false;
    const { quotes, next } = await store.readOpenQuotes({ ...query, ...batch, limit: QUOTES_AT_ONCE });
    for (const quote of quotes) {
      if (isOver()) return false;
      const reported = await evaluateQuote(pass, quote, tools);
      if (reported === undefined) return false;
      for (const { change } of reported) count[change]++;
      count.quotes++;
      await nextPass();
    }
    if (next !== undefined && count.quotes < MAX_QUOTES) queue.push({ teamId: batch.teamId, before: next });
  }
  if (count.quotes > 0) listener({ type: 'closures_checked', ...count, tookMs: performance.now() - startedAt });
  return true;
}

/** @returns the changes that were reported; undefined if the events are unknown, or another process runs the pass */
async function evaluateQuote(
  { token }: Pass,
  quote: OpenQuote,
  { store, source, listener, wake }: PassTools,
): Promise<readonly CarrierChange[] | undefined> {
  const { quoteId, teamId, effectiveDate, fields, rates } = quote;
  const closuresOf = new Map<string, readonly CarrierClosure[]>();
  try {
    for (const formType of new Set(rates.map((rate) => rate.formType))) {
      const closures = await source.closuresOf({ teamId, effectiveDate, fields, formType });
      if (closures === undefined) return undefined;
      closuresOf.set(formType, closures);
    }
  } catch (error) {
    // One quote that cannot be read does not hold up the others.
    listener({ type: 'failure', where: `closures of ${quoteId}`, error });
    return [];
  }
  const changes = rates.flatMap((rate) => {
    const closure = closuresOf.get(rate.formType)?.find(({ carrierKey }) => carrierKey === rate.carrierKey);
    const { wasClosed, ...rest } = rate;
    if (closure?.state !== (wasClosed ? 'open' : 'closed')) return [];
    const change = wasClosed ? ('reopened' as const) : ('closed' as const);
    return [{ ...rest, change, reasons: wasClosed ? [] : closure.reasons.slice(0, MAX_REASONS) }];
  });
  if (changes.length === 0) return [];
  const reported = await store.recordClosures(token, quoteId, changes);
  if (reported !== undefined && reported.length > 0) wake([quoteId]);
  return reported;
}
