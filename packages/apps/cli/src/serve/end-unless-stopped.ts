import type { Terminal } from '../terminal.ts';

/** Time after the deadline for aborting calls, returning rates and closing connections. */
const STOP_MARGIN_MS = 4_000;

/**
 * Ends a process that has not stopped soon after its deadline because a queue or database is unavailable. Its leases
 * expire.
 */
export function endUnlessStopped(deadlineMs: number, terminal: Terminal): void {
  const lateMs = deadlineMs + STOP_MARGIN_MS;
  terminal.endAfter?.(lateMs, `Still running ${lateMs} ms after it was to stop: ended. Is its queue or database away?`);
}
