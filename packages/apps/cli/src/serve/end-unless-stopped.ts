import type { Terminal } from '../terminal.ts';

/** For what is done after the deadline: calls are broken off, rates given back, connections closed. */
const STOP_MARGIN_MS = 4_000;

/** Ends a process that has not stopped soon after its deadline, because a queue or a database is away. Its leases end by themselves. */
export function endUnlessStopped(deadlineMs: number, terminal: Terminal): void {
  const lateMs = deadlineMs + STOP_MARGIN_MS;
  terminal.endAfter?.(lateMs, `Still running ${lateMs} ms after it was to stop: ended. Is its queue or database away?`);
}
