const POLL_MS = 250;
/** One Ctrl+C can arrive twice: from the terminal, and from npm, which passes it on. */
const SAME_SIGNAL_MS = 1000;

/**
 * Resolves with the first request to stop this process from now on: SIGINT or SIGTERM. A second of either, a second later, ends the
 * process at once. Under `npm start` also the end of npm: it is killed together with its shell, which tells nobody, and a server left
 * behind would hold its port.
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
