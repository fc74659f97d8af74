import type { Terminal } from '../terminal.ts';

/** Time after the deadline to abort calls, return rates and close connections. */
const STOP_MARGIN_MS = 4_000;

/** Ends a process that an unavailable queue or database keeps from stopping. Its leases expire. */
export function endUnlessStopped(deadlineMs: number, terminal: Terminal): void {
  const lateMs = deadlineMs + STOP_MARGIN_MS;
  terminal.endAfter?.(lateMs, `Still running ${lateMs} ms after it was to stop: ended. Is its queue or database away?`);
}
