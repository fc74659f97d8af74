/**
 * Rejects with the signal's reason when it aborts; the work itself continues.
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
