/** How much may be at work before new requests are turned away with 503. */
export interface OverloadLimits {
  /** Requests at work at once; null for any number. Default 1,000. */
  readonly mostInFlight?: number | null;
  /**
   * How long one turn of the event loop may take with answering before the rest of what arrived in it is turned away;
   * null for any time. Default 250 ms.
   */
  readonly mostDelayMs?: number | null;
}

export interface OverloadGuard {
  /** Asked as a request arrives; false where it has to be turned away. Every true wants one `leave`. */
  enter(nowMs: number): boolean;
  leave(): void;
}

/** A turn after a short one may be so many times longer before anybody is turned away in it. */
const forgiven = 4;
/** So many are taken in a turn however long they take: a few callers on a slow machine wait, they are not too many. */
const leastTaken = 32;

/**
 * Sheds load before the event loop drowns in it, and has no timer for it: what waits for an answer is whatever
 * arrived together, so a turn that began at its first request tells how long the others have waited already. One long
 * turn is somebody's large request, or many who came at one moment, and may take four times as long; two in a row are
 * more than can be borne, and what the second does not reach in time is turned away at once. So whoever is taken in
 * waits for about two turns, whatever the load.
 */
export function createOverloadGuard(
  { mostInFlight = 1_000, mostDelayMs = 250 }: OverloadLimits = {},
  { nowMs = () => performance.now(), afterTurn = setImmediate }: Partial<Turns> = {},
): OverloadGuard {
  const mostAtWork = mostInFlight ?? Number.POSITIVE_INFINITY;
  const longestMs = mostDelayMs ?? Number.POSITIVE_INFINITY;
  let inFlight = 0;
  let turnBeganMs: number | undefined;
  let taken = 0;
  let endedMs = Number.NEGATIVE_INFINITY;
  let wasLong = false;
  const endTurn = () => {
    endedMs = nowMs();
    wasLong = turnBeganMs !== undefined && endedMs - turnBeganMs > longestMs;
    turnBeganMs = undefined;
  };
  return {
    enter(now) {
      if (turnBeganMs === undefined) {
        turnBeganMs = now;
        taken = 0;
        // A long turn of some time ago says nothing of now.
        if (now - endedMs > longestMs) wasLong = false;
        afterTurn(endTurn);
      }
      if (inFlight >= mostAtWork) return false;
      if (taken >= leastTaken && now - turnBeganMs > (wasLong ? longestMs : forgiven * longestMs)) return false;
      taken++;
      inFlight++;
      return true;
    },
    leave() {
      inFlight--;
    },
  };
}

/** Time, and the end of the event loop's turn under way. */
interface Turns {
  readonly nowMs: () => number;
  readonly afterTurn: (run: () => void) => unknown;
}
