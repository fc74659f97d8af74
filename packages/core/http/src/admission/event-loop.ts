import { type HaltWatch, nodeHaltWatch } from './halt-watch.ts';

/** Time, and the end of the event loop's turn under way. */
export interface EventLoop {
  readonly nowMs: () => number;
  readonly afterTurn: (run: () => void) => unknown;
  /** Processor time of this thread so far, in ms. Unlike elapsed time it excludes other programs. @default `nowMs` */
  readonly workedMs?: () => number;
  /** Detects halts of the process. Default: none are detected. */
  readonly halts?: HaltWatch;
}

/** On older versions of Node, elapsed time. */
function threadWorkedMs(): number {
  const used = process.threadCpuUsage?.();
  return used ? (used.user + used.system) / 1000 : performance.now();
}

/** The event loop of Node. Each call has a separate halt watch, because a watch reports each halt once. */
export function nodeLoop(): EventLoop {
  const clocks = { nowMs: () => performance.now(), workedMs: threadWorkedMs };
  return { ...clocks, afterTurn: setImmediate, halts: nodeHaltWatch(clocks) };
}
