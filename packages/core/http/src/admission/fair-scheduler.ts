import type { Turn } from '@leeward/engine/compiled';
import { type EventLoop, nodeLoop } from './event-loop.ts';
import { createLoopSlice } from './loop-slice.ts';
import { createTenantQueue } from './tenant-queue.ts';

/** Limits of the scheduler. */
export interface FairSchedulerOptions {
  /** Maximum time that work may wait to begin behind work of its tenant, in ms; null for no limit. @default 250 */
  readonly maxDelayMs?: number | null;
  /** Scheduled work per turn of the event loop, in ms; its last step may exceed it. @default 5 */
  readonly sliceMs?: number;
}

/** Shares the main thread among tenants. One scheduler serves all work of a process that takes long. */
export interface FairScheduler {
  /** Admits new work of a tenant: true now, false if it is refused, or a promise of either if it must wait. */
  enter(tenant: string): boolean | Promise<boolean>;
  /** Schedules admitted work of a tenant. If `endOf` returns an error, because the caller is gone, the next slice throws it. */
  workOf(tenant: string, endOf?: () => Error | undefined): ScheduledWork;
  /**
   * Leaves the next turn of the event loop to input, for a new connection. Node accepts one connection per turn: behind a
   * thousand of them, the next would otherwise wait for a thousand slices.
   */
  giveWay(): void;
}

/** One piece of work. The time between two slices is charged to its tenant. */
export interface ScheduledWork extends Turn {
  /** Like `rest`, but goes on in the slice of its last step even if that is used up: for a short last step. */
  resume(): Promise<void> | undefined;
  /** Charges the rest: the work is done, or waits for something else. */
  end(): void;
}

/** Maximum time after a halt in which work is accepted regardless of its wait, in ms. */
const MAX_RECOVERY_MS = 10_000;
/** Tickets started between two looks at new input. */
const MAX_STARTED_AT_ONCE = 32;
/** Slices that an idle tenant can save up: a request of the usual size is then done at once. */
const SAVED_SLICES = 4;

/**
 * Each iteration of the event loop has a slice for scheduled work (`LoopSlice`). In it, the tenant with the least work
 * goes first (`TenantQueue`). A small request is answered soon, even if other tenants send many, and unscheduled work
 * such as `/healthz` runs in between. Without waiting work there is no timer.
 *
 * The time of a halt of the process does not count as waiting. For as long again all work is accepted, because
 * everything sent meanwhile arrives at one moment.
 *
 * @example
 * const scheduler = createFairScheduler({ maxDelayMs: 100 });
 * const leeward = createLeeward({ directory, underwriting, scheduler });
 */
export function createFairScheduler(
  { maxDelayMs = 250, sliceMs = 5 }: FairSchedulerOptions = {},
  loop: EventLoop = nodeLoop(),
): FairScheduler {
  const { nowMs, afterTurn, halts } = loop;
  const slice = createLoopSlice(sliceMs, loop);
  const queue = createTenantQueue({
    savedMs: SAVED_SLICES * sliceMs,
    maxWaitMs: maxDelayMs ?? Number.POSITIVE_INFINITY,
  });
  let callbacks = 0;
  /** The tenant that started last, and its slice. */
  let last: { readonly tenant: string; readonly slice: number } | undefined;

  /** Returns the time, after taking halts into account. */
  function look(): number {
    const now = nowMs();
    const haltedMs = halts?.look(now) ?? 0;
    if (haltedMs > 0) queue.forgiveHalt(haltedMs, now, now + Math.min(haltedMs, MAX_RECOVERY_MS));
    return now;
  }

  function charge(tenant: string, ofSlice: number, now: number): void {
    const workMs = slice.readMeter(ofSlice, now);
    if (workMs !== undefined) queue.charge(tenant, workMs, now);
  }

  /** One callback for each ticket, so that started work runs as far as possible before the next starts. */
  function scheduleCallbacks(): void {
    for (; callbacks < Math.min(queue.size, MAX_STARTED_AT_ONCE); callbacks++) afterTurn(startNext);
  }

  function startNext(): void {
    callbacks--;
    const now = look();
    // Work that has not ended explicitly.
    if (last) charge(last.tenant, last.slice, now);
    if (queue.size > 0 && slice.hasTime(now)) {
      const { tenant, start } = queue.takeNext(now);
      last = { tenant, slice: slice.number };
      slice.startMeter(now);
      start();
    }
    scheduleCallbacks();
  }

  function wait(tenant: string, isBegun: boolean, now: number): Promise<boolean> {
    const accepted = queue.wait(tenant, isBegun, now);
    scheduleCallbacks();
    return accepted;
  }

  return {
    giveWay: () => slice.skipNext(),
    enter(tenant) {
      const now = look();
      if (queue.size > 0 || !slice.hasTime(now)) return wait(tenant, false, now);
      slice.startMeter(now);
      last = { tenant, slice: slice.number };
      return true;
    },
    workOf(tenant, endOf) {
      let own = slice.number;
      const work: ScheduledWork = {
        resume: () => (slice.isCurrent(own) ? undefined : work.rest()),
        rest() {
          const now = nowMs();
          const end = endOf?.();
          if (slice.isMeterDue(now)) charge(tenant, own, now);
          if (end) throw end;
          // Work goes on to the end of its slice; new work does not overtake waiting tickets.
          if ((own === slice.number || queue.size === 0) && slice.hasTime(now)) {
            own = slice.number;
            return undefined;
          }
          return wait(tenant, true, now).then(() => {
            slice.hasTime(nowMs());
            own = slice.number;
          });
        },
        end() {
          charge(tenant, own, nowMs());
        },
      };
      return work;
    },
  };
}
