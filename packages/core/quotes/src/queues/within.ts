/** Resolves when `work` settles, or after `timeoutMs`. */
export async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work.catch(() => {}), timeout]);
  clearTimeout(timer);
}

/** @throws if it takes longer than `timeoutMs`. */
export async function orTimeout<Result>(timeoutMs: number, work: Promise<Result>, message: string): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), timeoutMs);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
