const POLL_MS = 250;
/** One Ctrl+C can arrive twice: from the terminal and from npm. */
const SAME_SIGNAL_MS = 1000;

/**
 * Resolves with the first SIGINT or SIGTERM. A second one, at least a second later, ends the process at once. Also resolves when `npm
 * start` ends: npm is killed with its shell and sends no signal, and the server would keep its port.
 */
export function processStopAsked(environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    const ask = (what: string) => {
      if (firstMs !== undefined && performance.now() - firstMs > SAME_SIGNAL_MS) process.exit(130);
      firstMs ??= performance.now();
      resolve(what);
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
    if (environment['npm_lifecycle_event'] === undefined) return;
    const launcher = process.ppid;
    const poll = setInterval(() => {
      if (process.ppid === launcher) return;
      clearInterval(poll);
      resolve('npm ended');
    }, POLL_MS);
    poll.unref();
  });
}
