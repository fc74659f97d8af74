export interface FairQueueOptions {
  /** How long one may wait for its turn behind many of its own tenant before it is turned away; null for any time. */
  readonly maxDelayMs: number | null;
  /** Work that is begun in one turn of the event loop. Default 8 ms. */
  readonly sliceMs?: number;
}

/** Whose turn it is to work, where more is asked than can be done at once. */
export interface FairQueue {
  /** True: begin now. False: turned away. Where others come first, a promise of either. */
  enter(tenant: string): boolean | Promise<boolean>;
}

/** Time, and the end of the event loop's turn under way. */
export interface Turns {
  readonly nowMs: () => number;
  readonly afterTurn: (run: () => void) => unknown;
}

interface Ticket {
  readonly sinceMs: number;
  /** How many of its tenant were waiting as it came. */
  readonly ahead: number;
  readonly resolve: (isTaken: boolean) => void;
}

interface Lane {
  readonly tickets: Ticket[];
  /** Since when its requests wait too long; undefined while they do not. */
  lateSinceMs: number | undefined;
  lastLateMs: number;
}

/** Lateness is forgiven for so many times the delay: it was one large request, or many who came at one moment. */
const forgivenDelays = 3;
/** So many of a tenant wait however long it takes: a few callers on a slow machine are not too many. */
const alwaysWaiting = 32;
/** Begun at most between two looks at what else has come. */
const begunAtOnce = 32;

/**
 * Tenants take turns, one request each, and in every turn of the event loop only so much is begun as takes a few
 * milliseconds: whoever asks little is answered soon, however much another asks, and what nobody queues for (`/healthz`) is
 * answered in between. Where nothing waits, nothing is queued and no timer runs.
 *
 * A tenant whose requests wait too long, and have done so for a while, has those turned away that have waited too long as
 * their turn comes; the others' requests are none of its business, nor it of theirs.
 */
export function createFairQueue(
  { maxDelayMs, sliceMs = 8 }: FairQueueOptions,
  { nowMs, afterTurn }: Turns = { nowMs: () => performance.now(), afterTurn: setImmediate },
): FairQueue {
  const maxWaitMs = maxDelayMs ?? Number.POSITIVE_INFINITY;
  /** In the order in which it is their turn. Those at rest are kept only while they were late of late. */
  const lanes = new Map<string, Lane>();
  let waiting = 0;
  let summoned = 0;
  let turnBeganMs: number | undefined;

  /** Whether this turn of the event loop has time left. */
  function hasTime(now: number): boolean {
    if (turnBeganMs === undefined) {
      turnBeganMs = now;
      afterTurn(() => {
        turnBeganMs = undefined;
      });
    }
    return now - turnBeganMs < sliceMs;
  }

  /** One call each, so that what one begins has gone as far as it can before the next begins. */
  function summon(): void {
    for (; summoned < Math.min(waiting, begunAtOnce); summoned++) afterTurn(beginNext);
  }

  function beginNext(): void {
    summoned--;
    const now = nowMs();
    if (hasTime(now)) {
      const [tenant, lane] = nextLane();
      const ticket = lane.tickets.shift()!;
      waiting--;
      const isTaken = !isTooLate(lane, ticket, now);
      lanes.delete(tenant);
      if (lane.tickets.length > 0 || lane.lateSinceMs !== undefined) lanes.set(tenant, lane);
      ticket.resolve(isTaken);
    }
    summon();
  }

  function nextLane(): [string, Lane] {
    for (const entry of lanes) {
      if (entry[1].tickets.length > 0) return entry;
      lanes.delete(entry[0]);
      if (nowMs() - entry[1].lastLateMs <= maxWaitMs) lanes.set(...entry);
    }
    throw new Error('Somebody waits, and nobody is there.');
  }

  function isTooLate(lane: Lane, { sinceMs, ahead }: Ticket, now: number): boolean {
    if (now - sinceMs <= maxWaitMs) {
      // The last one came in time: whoever comes next finds nobody before him.
      if (lane.tickets.length === 0) lane.lateSinceMs = undefined;
      return false;
    }
    lane.lateSinceMs ??= now;
    lane.lastLateMs = now;
    return ahead >= alwaysWaiting && now - lane.lateSinceMs >= forgivenDelays * maxWaitMs;
  }

  return {
    enter(tenant) {
      const now = nowMs();
      if (waiting === 0 && hasTime(now)) return true;
      const lane = lanes.get(tenant) ?? { tickets: [], lateSinceMs: undefined, lastLateMs: Number.NEGATIVE_INFINITY };
      lanes.set(tenant, lane);
      if (lane.tickets.length === 0 && now - lane.lastLateMs > maxWaitMs) lane.lateSinceMs = undefined;
      const turn = new Promise<boolean>((resolve) => {
        lane.tickets.push({ sinceMs: now, ahead: lane.tickets.length, resolve });
      });
      waiting++;
      summon();
      return turn;
    },
  };
}
