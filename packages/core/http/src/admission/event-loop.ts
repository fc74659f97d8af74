import { type HaltWatch, nodeHaltWatch } from './halt-watch.ts';

/** Time, and the end of the event loop's turn under way. */
export interface EventLoop {
  readonly nowMs: () => number;
  readonly afterTurn: (run: () => void) => unknown;
  /** What the thread has computed so far: what a busy machine holds up is nobody's work. Default `nowMs`. */
  readonly workedMs?: () => number;
  /** Says when the process was halted. Default nobody does: it never is. */
  readonly halts?: HaltWatch;
}

/** Of older versions of Node the time that passed. */
function threadWorkedMs(): number {
  const used = process.threadCpuUsage?.();
  return used ? (used.user + used.system) / 1000 : performance.now();
}

/** That of Node, whose halts are told once: each scheduler has a watch of its own. */
export function nodeLoop(): EventLoop {
  const clocks = { nowMs: () => performance.now(), workedMs: threadWorkedMs };
  return { ...clocks, afterTurn: setImmediate, halts: nodeHaltWatch(clocks) };
}
