/**
 * Waits for `work`, or rejects with the signal's reason as soon as the signal is aborted. The work itself goes on.
 *
 * @example
 * await orAborted(fetchAnswer(), AbortSignal.timeout(5_000));
 */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
