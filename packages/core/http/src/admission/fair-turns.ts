import type { Turn } from '@leeward/engine';
import { type EventLoop, nodeLoop } from './event-loop.ts';
import { Queue } from './queue.ts';

/** Limits of the fair scheduler, in ms. */
export interface FairTurnsOptions {
  /** Maximum time that requests of one tenant wait to start; null for no limit. @default 250 */
  readonly maxDelayMs?: number | null;
  /** Time for work in one turn of the event loop. The last step may exceed it. @default 5 */
  readonly turnMs?: number;
}

/**
 * Whose turn it is to work, where more is asked than can be done at once: the one scheduler of a process, which all work
 * asks that takes a while, whatever it is.
 */
export interface FairTurns {
  /** To begin something for a tenant. True: now. False: turned away. Where others come first, a promise of either. */
  enter(tenant: string): boolean | Promise<boolean>;
  /**
   * To go on with one piece of a tenant's work. `endOf` says why nobody waits for it any longer: its turn then throws
   * that.
   */
  pieceOf(tenant: string, endOf?: () => Error | undefined): Piece;
  /**
   * Somebody connected: the next turn of the event loop is left to input, a few times in a row at most. Node takes in one
   * connection a turn, so that behind a thousand of them the next would wait for a thousand turns of work.
   */
  giveWay(): void;
}

/** The turns of one piece of work. What it does from one to the next is counted as its tenant's. */
export interface Piece extends Turn {
  /** It is done, or waits for something else: what it did since its last turn is counted. */
  end(): void;
}

interface Ticket {
  sinceMs: number;
  /** Of what is still to begin: how many of its tenant were waiting as it came. */
  readonly ahead: number;
  readonly isBegun: boolean;
  readonly resolve: (isTaken: boolean) => void;
}

interface Lane {
  readonly tenant: string;
  readonly tickets: Queue<Ticket>;
  /** How many of them are still to begin. */
  beginning: number;
  /** Work that was done for it, as if it had begun with whoever had the least then. */
  spentMs: number;
  /** Since when its requests wait too long; undefined while they do not. */
  lateSinceMs: number | undefined;
  lastLateMs: number;
}

/** Lateness is forgiven for so many times the delay: it was one large request, or many who came at one moment. */
const FORGIVEN_DELAYS = 3;
/** So many of a tenant wait however long it takes: a few callers on a slow machine are not too many. */
const ALWAYS_WAITING = 32;
/** However long a process was halted, what came meanwhile is to be worked off within so long. */
const MAX_RECOVERY_MS = 10_000;
/** Turns in a row that are left to input. */
const MAX_GIVEN_WAY = 16;
/** Begun at most between two looks at what else has come. */
const BEGUN_AT_ONCE = 32;
/** So many turns of the event loop may a tenant at rest save up: a request of the usual size is then done at once. */
const SAVED_TURNS = 4;
/** Work that may stay uncounted while its tenant goes on: what a thread has computed is dearer to ask than the time. */
const UNCOUNTED_MS = 0.25;
/** Lanes kept before those are looked for that may be forgotten. */
const MAX_LANES_KEPT = 64;

/**
 * The tenant for whom the least was done has the next turn, and in every turn of the event loop only so much is done as
 * takes a few milliseconds: whoever asks little is answered soon, however much another asks, and what nobody queues for
 * (`/healthz`) is answered in between. Where nothing waits, nothing is queued and no timer runs.
 *
 * It is work that is shared, not turns (start-time fair queueing, Goyal et al. 1996): a tenant of long steps has fewer of
 * them, and one of many requests, tokens or effective years no more than another. Nobody saves up more than a few turns, and
 * nobody owes anything for what he did while nobody else waited. So of tenants that wait, none is ahead of another by more
 * than what may be saved and one step. A tenant's own pieces follow each other in the order in which they came to wait.
 *
 * A tenant whose requests wait too long to begin, and have done so for a while, has those turned away that have waited too
 * long as their turn comes; the others' requests are none of its business, nor it of theirs. What has begun goes on.
 *
 * While a process is halted nobody waits for anybody: that time counts as none, and for as long again nobody is turned away,
 * since all that came meanwhile has come at one moment.
 *
 * @example
 * const leeward = createLeeward({ directory, turns: createFairTurns({ maxDelayMs: 500 }) });
 */
export function createFairTurns(
  { maxDelayMs = 250, turnMs = 5 }: FairTurnsOptions = {},
  { nowMs, afterTurn, workedMs = nowMs, halts }: EventLoop = nodeLoop(),
): FairTurns {
  const maxWaitMs = maxDelayMs ?? Number.POSITIVE_INFINITY;
  const savedMs = SAVED_TURNS * turnMs;
  const lanes = new Map<string, Lane>();
  /** Of these those with tickets, in the order in which they came to have some. */
  const waitingLanes = new Set<Lane>();
  let lanesBeforeSweep = MAX_LANES_KEPT;
  /** The least that was done for any who waited last; it never sinks. */
  let leastMs = 0;
  let waiting = 0;
  let summoned = 0;
  let turnBeganMs: number | undefined;
  /** Changes with every turn of the event loop in which something was done. */
  let turn = 0;
  /** Until when the work of this turn was counted. */
  let countedMs = 0;
  /** The time at which that was. */
  let countedAtMs = 0;
  /** Whose turn was the last. */
  let lastTenant: string | undefined;
  let mustGiveWay = false;
  let givenWay = 0;
  /** Until when nobody is late: what came during a halt is worked off. */
  let recoversUntilMs = Number.NEGATIVE_INFINITY;

  /** The time, and what is to be forgotten of it. */
  function look(): number {
    const now = nowMs();
    const haltedMs = halts?.look(now) ?? 0;
    if (haltedMs === 0) return now;
    recoversUntilMs = Math.max(recoversUntilMs, now + Math.min(haltedMs, MAX_RECOVERY_MS));
    for (const lane of waitingLanes) {
      for (const ticket of lane.tickets) ticket.sinceMs = Math.min(now, ticket.sinceMs + haltedMs);
    }
    return now;
  }

  /** Whether this turn of the event loop has time left. */
  function hasTime(now: number): boolean {
    if (turnBeganMs === undefined) {
      const givesWay = mustGiveWay && givenWay < MAX_GIVEN_WAY;
      mustGiveWay = false;
      givenWay = givesWay ? givenWay + 1 : 0;
      turnBeganMs = givesWay ? Number.NEGATIVE_INFINITY : now;
      turn++;
      countFrom(now);
      lastTenant = undefined;
      afterTurn(() => {
        turnBeganMs = undefined;
      });
    }
    return now - turnBeganMs < turnMs;
  }

  function countFrom(now: number): void {
    countedMs = workedMs();
    countedAtMs = now;
  }

  /** One call each, so that what one begins has gone as far as it can before the next begins. */
  function summon(): void {
    for (; summoned < Math.min(waiting, BEGUN_AT_ONCE); summoned++) afterTurn(callNext);
  }

  function callNext(): void {
    summoned--;
    const now = look();
    // What nobody has told of.
    if (lastTenant !== undefined) count(lastTenant, turn, now);
    if (waiting > 0 && hasTime(now)) {
      const lane = nextLane();
      const ticket = lane.tickets.shift();
      waiting--;
      // To the end, where several had the same.
      waitingLanes.delete(lane);
      if (lane.tickets.length > 0) waitingLanes.add(lane);
      lastTenant = lane.tenant;
      if (!ticket.isBegun) lane.beginning--;
      if (countedAtMs !== now) countFrom(now);
      ticket.resolve(ticket.isBegun || !isTooLate(lane, ticket, now));
    }
    summon();
  }

  /** The one that had the least; of several the one that has waited the longest. */
  function nextLane(): Lane {
    let next: Lane | undefined;
    for (const lane of waitingLanes) if (next === undefined || lane.spentMs < next.spentMs) next = lane;
    leastMs = Math.max(leastMs, next!.spentMs);
    return next!;
  }

  function isTooLate(lane: Lane, { sinceMs, ahead }: Ticket, now: number): boolean {
    if (now < recoversUntilMs) {
      lane.lateSinceMs = undefined;
      return false;
    }
    if (now - sinceMs <= maxWaitMs) {
      // The last one came in time: whoever comes next finds nobody before him.
      if (lane.beginning === 0) lane.lateSinceMs = undefined;
      return false;
    }
    lane.lateSinceMs ??= now;
    lane.lastLateMs = now;
    return ahead >= ALWAYS_WAITING && now - lane.lateSinceMs >= FORGIVEN_DELAYS * maxWaitMs;
  }

  function laneOf(tenant: string): Lane {
    let lane = lanes.get(tenant);
    if (!lane) {
      if (lanes.size >= lanesBeforeSweep) sweep();
      lane = {
        tenant,
        tickets: new Queue(),
        beginning: 0,
        spentMs: leastMs - savedMs,
        lateSinceMs: undefined,
        lastLateMs: Number.NEGATIVE_INFINITY,
      };
      lanes.set(tenant, lane);
    }
    return lane;
  }

  /** Forgets the lanes of which nothing is known that a new one would not have. */
  function sweep(): void {
    const now = nowMs();
    for (const [tenant, lane] of lanes) {
      const isKnown = lane.spentMs > leastMs - savedMs || now - lane.lastLateMs <= maxWaitMs;
      if (lane.tickets.length === 0 && !isKnown) lanes.delete(tenant);
    }
    lanesBeforeSweep = Math.max(MAX_LANES_KEPT, 2 * lanes.size);
  }

  /** Counts what was done in this turn of the event loop, each moment of it once. */
  function count(tenant: string, own: number, now: number): void {
    if (own !== turn || turnBeganMs === undefined) return;
    const before = countedMs;
    countFrom(now);
    const lane = laneOf(tenant);
    lane.spentMs = Math.max(lane.spentMs, leastMs - savedMs) + Math.max(0, countedMs - before);
    // While nobody waits, nobody is owed anything for it.
    if (waiting === 0) leastMs = Math.max(leastMs, lane.spentMs);
  }

  function wait(tenant: string, isBegun: boolean, now: number): Promise<boolean> {
    const lane = laneOf(tenant);
    const { tickets, beginning } = lane;
    if (tickets.length === 0) {
      lane.spentMs = Math.max(lane.spentMs, leastMs - savedMs);
      waitingLanes.add(lane);
    }
    if (!isBegun) {
      if (beginning === 0 && now - lane.lastLateMs > maxWaitMs) lane.lateSinceMs = undefined;
      lane.beginning++;
    }
    const taken = new Promise<boolean>((resolve) => {
      tickets.push({ sinceMs: now, ahead: beginning, isBegun, resolve });
    });
    waiting++;
    summon();
    return taken;
  }

  return {
    giveWay() {
      mustGiveWay = true;
    },
    enter(tenant) {
      const now = look();
      if (waiting > 0 || !hasTime(now)) return wait(tenant, false, now);
      if (countedAtMs !== now) countFrom(now);
      lastTenant = tenant;
      return true;
    },
    pieceOf(tenant, endOf) {
      let own = turn;
      return {
        rest() {
          const now = nowMs();
          const end = endOf?.();
          if (now - countedAtMs >= UNCOUNTED_MS || now - turnBeganMs! >= turnMs) count(tenant, own, now);
          if (end) throw end;
          // Whose turn it is goes on to the end of it; nobody else steps in before those who wait.
          if ((own === turn || waiting === 0) && hasTime(now)) {
            own = turn;
            return undefined;
          }
          return wait(tenant, true, now).then(() => {
            hasTime(nowMs());
            own = turn;
          });
        },
        end() {
          count(tenant, own, nowMs());
        },
      };
    },
  };
}
