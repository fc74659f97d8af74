import type { Turn } from '@leeward/engine';

export interface FairTurnsOptions {
  /** How long one may wait to begin behind many of its own tenant before it is turned away; null for any time. Default 250 ms. */
  readonly maxDelayMs?: number | null;
  /** Work that is done in one turn of the event loop, at most by a step of it. Default 5 ms. */
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
  pieceOf(tenant: string, endOf?: () => Error | undefined): Turn;
  /**
   * Somebody connected: the next turn of the event loop is left to input, a few times in a row at most. Node takes in one
   * connection a turn, so that behind a thousand of them the next would wait for a thousand turns of work.
   */
  giveWay(): void;
}

/** Time, and the end of the event loop's turn under way. */
export interface EventLoop {
  readonly nowMs: () => number;
  readonly afterTurn: (run: () => void) => unknown;
}

interface Ticket {
  readonly sinceMs: number;
  /** Of what is still to begin: how many of its tenant were waiting as it came. */
  readonly ahead: number;
  readonly isBegun: boolean;
  readonly resolve: (isTaken: boolean) => void;
}

interface Lane {
  readonly tickets: Ticket[];
  /** How many of them are still to begin. */
  beginning: number;
  /** Since when its requests wait too long; undefined while they do not. */
  lateSinceMs: number | undefined;
  lastLateMs: number;
}

/** Lateness is forgiven for so many times the delay: it was one large request, or many who came at one moment. */
const forgivenDelays = 3;
/** So many of a tenant wait however long it takes: a few callers on a slow machine are not too many. */
const alwaysWaiting = 32;
/** Turns in a row that are left to input. */
const givenWayAtMost = 16;
/** Begun at most between two looks at what else has come. */
const begunAtOnce = 32;

/**
 * Tenants take turns, one piece of work each, and in every turn of the event loop only so much is done as takes a few
 * milliseconds: whoever asks little is answered soon, however much another asks, and what nobody queues for (`/healthz`) is
 * answered in between. Where nothing waits, nothing is queued and no timer runs.
 *
 * Whoever comes new goes before those who have had a turn in this round, and then to the end of it (as deficit round robin
 * does with sparse flows). So while one waits, each of the others has at most one turn. A tenant's own pieces follow each
 * other in the order in which they came to wait.
 *
 * A tenant whose requests wait too long to begin, and have done so for a while, has those turned away that have waited too
 * long as their turn comes; the others' requests are none of its business, nor it of theirs. What has begun goes on.
 */
export function createFairTurns(
  { maxDelayMs = 250, turnMs = 5 }: FairTurnsOptions = {},
  { nowMs, afterTurn }: EventLoop = { nowMs: () => performance.now(), afterTurn: setImmediate },
): FairTurns {
  const maxWaitMs = maxDelayMs ?? Number.POSITIVE_INFINITY;
  /** In the order in which it is their turn. Those at rest are kept till then: they have had theirs. */
  const round = new Map<string, Lane>();
  /** Those who come before it. */
  const newcomers = new Map<string, Lane>();
  let waiting = 0;
  let summoned = 0;
  let turnBeganMs: number | undefined;
  /** Changes with every turn of the event loop in which something was done. */
  let turn = 0;
  let mustGiveWay = false;
  let givenWay = 0;

  /** Whether this turn of the event loop has time left. */
  function hasTime(now: number): boolean {
    if (turnBeganMs === undefined) {
      const givesWay = mustGiveWay && givenWay < givenWayAtMost;
      mustGiveWay = false;
      givenWay = givesWay ? givenWay + 1 : 0;
      turnBeganMs = givesWay ? Number.NEGATIVE_INFINITY : now;
      turn++;
      afterTurn(() => {
        turnBeganMs = undefined;
      });
    }
    return now - turnBeganMs < turnMs;
  }

  /** One call each, so that what one begins has gone as far as it can before the next begins. */
  function summon(): void {
    for (; summoned < Math.min(waiting, begunAtOnce); summoned++) afterTurn(callNext);
  }

  function callNext(): void {
    summoned--;
    const now = nowMs();
    if (waiting > 0 && hasTime(now)) {
      const lane = nextLane();
      const ticket = lane.tickets.shift()!;
      waiting--;
      if (!ticket.isBegun) lane.beginning--;
      ticket.resolve(ticket.isBegun || !isTooLate(lane, ticket, now));
    }
    summon();
  }

  /** Moved to the end of the round. */
  function nextLane(): Lane {
    for (const from of [newcomers, round]) {
      for (const [tenant, lane] of from) {
        from.delete(tenant);
        if (lane.tickets.length > 0 || nowMs() - lane.lastLateMs <= maxWaitMs) round.set(tenant, lane);
        if (lane.tickets.length > 0) return lane;
      }
    }
    throw new Error('Somebody waits, and nobody is there.');
  }

  function isTooLate(lane: Lane, { sinceMs, ahead }: Ticket, now: number): boolean {
    if (now - sinceMs <= maxWaitMs) {
      // The last one came in time: whoever comes next finds nobody before him.
      if (lane.beginning === 0) lane.lateSinceMs = undefined;
      return false;
    }
    lane.lateSinceMs ??= now;
    lane.lastLateMs = now;
    return ahead >= alwaysWaiting && now - lane.lateSinceMs >= forgivenDelays * maxWaitMs;
  }

  function wait(tenant: string, isBegun: boolean, now: number): Promise<boolean> {
    let lane = round.get(tenant) ?? newcomers.get(tenant);
    if (!lane) {
      lane = { tickets: [], beginning: 0, lateSinceMs: undefined, lastLateMs: Number.NEGATIVE_INFINITY };
      newcomers.set(tenant, lane);
    }
    const { tickets, beginning } = lane;
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
      const now = nowMs();
      return waiting === 0 && hasTime(now) ? true : wait(tenant, false, now);
    },
    pieceOf(tenant, endOf) {
      let own = turn;
      return {
        rest() {
          const end = endOf?.();
          if (end) throw end;
          const now = nowMs();
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
      };
    },
  };
}
