import { randomUUID } from 'node:crypto';
import { setImmediate as nextPass } from 'node:timers/promises';
import type { HomeVerdicts } from '../ports/home-verdicts.ts';
import type { Pass } from '../store/passes.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { changesOf, type DueHome, type EvaluatedHome } from '../store/watched-homes.ts';
import type { QuoteListener } from './quote-event.ts';

/*
 * Evaluates watched homes again when the rules or events in force for their team change. One process does so every few seconds:
 *
 *     claim, or renew the lease → each team: stamp → homes with another stamp, some at a time
 *
 * It keeps the lease until it stops, so that processes with different rules, as while a new release starts, do not evaluate in turn. A home
 * keeps the stamp of its last evaluation, so the next process continues where another ended. It waits before that, so that it knows
 * every change that the other knew.
 */

export interface HomeWatchOptions {
  readonly store: Pick<
    SqlQuoteStore,
    'teamsWithWatchedHomes' | 'readDueHomes' | 'recordVerdicts' | 'claimPass' | 'renewPass' | 'releasePass'
  >;
  readonly verdicts: HomeVerdicts;
  readonly listener: QuoteListener;
  readonly wake: (homeIds: readonly string[]) => void;
  /** Time between checks, in ms. @default 5_000 */
  readonly everyMs?: number | undefined;
  /** In ms. @default 15_000 */
  readonly leaseMs?: number | undefined;
}

export interface HomeWatch {
  start(): void;
  /** Evaluates the homes whose rules changed, unless another process does. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

const EVERY_MS = 5_000;
const LEASE_MS = 15_000;
/** Homes that could not be evaluated are tried again after this time. */
const RETRY_MS = 60_000;
/** Homes in one transaction. */
const HOMES_AT_ONCE = 20;

export function createHomeWatch(options: HomeWatchOptions): HomeWatch {
  const { store, verdicts, listener, wake, everyMs = EVERY_MS, leaseMs = LEASE_MS } = options;
  const stopping = new AbortController();
  /** Teams with homes that failed, by the time of the next try. */
  const retryAt = new Map<string, { readonly stamp: string; readonly atMs: number }>();
  let running: Promise<void> | undefined;
  let interval: NodeJS.Timeout | undefined;

  const pass: Pass = { kind: 'homes', token: randomUUID(), stamp: undefined };
  const run = async () => {
    const teamIds = await store.teamsWithWatchedHomes();
    if (teamIds.length === 0) return;
    const isHeld = await store.renewPass(pass, leaseMs);
    if (!isHeld && (await store.claimPass(pass, { leaseMs, everyMs: everyMs * 0.8 })) !== 'claimed') return;
    const startedAt = performance.now();
    const count = { homes: 0, changed: 0, failed: 0 };
    for (const teamId of teamIds) {
      if (stopping.signal.aborted || !(await evaluateTeam(teamId, count))) break;
    }
    if (count.homes + count.failed > 0) {
      listener({ type: 'homes_checked', ...count, tookMs: performance.now() - startedAt });
    }
  };
  /** @returns false if the process stops, or another one has the lease */
  const evaluateTeam = async (teamId: string, count: Count): Promise<boolean> => {
    const stamp = await verdicts.stamp(teamId);
    if (stamp === undefined) return true;
    const retry = retryAt.get(teamId);
    if (retry?.stamp === stamp && performance.now() < retry.atMs) return true;
    retryAt.delete(teamId);
    for (let after = ''; ; ) {
      if (stopping.signal.aborted || !(await store.renewPass(pass, leaseMs))) return false;
      const homes = await store.readDueHomes({ teamId, stamp, after, limit: HOMES_AT_ONCE });
      const evaluated: EvaluatedHome[] = [];
      for (const home of homes) {
        if (stopping.signal.aborted) break;
        const result = await evaluate(teamId, home);
        if (result) evaluated.push(result);
        else count.failed++;
        await nextPass();
      }
      // The rules or events changed meanwhile: which of them gave the verdicts is unknown.
      if ((await verdicts.stamp(teamId)) !== stamp) return true;
      if (evaluated.length > 0) {
        const changed = await store.recordVerdicts(pass.token, stamp, evaluated);
        if (changed === undefined) return false;
        count.homes += evaluated.length;
        count.changed += changed.length;
        if (changed.length > 0) wake(changed.map(({ id }) => id));
      }
      if (evaluated.length < homes.length) retryAt.set(teamId, { stamp, atMs: performance.now() + RETRY_MS });
      if (homes.length < HOMES_AT_ONCE) return true;
      after = homes.at(-1)!.id;
    }
  };
  const evaluate = async (teamId: string, { id, revision, content, verdicts: before }: DueHome) => {
    if (content === undefined) return undefined;
    try {
      const after = await verdicts.evaluate(teamId, content.home);
      return after && { id, revision, verdicts: after, changes: before === undefined ? [] : changesOf(before, after) };
    } catch {
      // The error may name the home's values.
      listener({ type: 'failure', where: 'watched_homes', error: new Error(`The home ${id} could not be evaluated.`) });
      return undefined;
    }
  };
  const report = (error: unknown) => listener({ type: 'failure', where: 'watched_homes', error });
  const check = (): Promise<void> => {
    if (stopping.signal.aborted) return Promise.resolve();
    running ??= run()
      .catch(report)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return {
    start() {
      interval = setInterval(() => void check(), everyMs);
      interval.unref();
      void check();
    },
    check,
    async stop() {
      stopping.abort();
      clearInterval(interval);
      await running;
      await store.releasePass(pass).catch(report);
    },
  };
}

interface Count {
  homes: number;
  changed: number;
  failed: number;
}
