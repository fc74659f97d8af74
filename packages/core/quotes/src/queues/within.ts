/** Waits until `work` has ended, one way or the other, but no longer than this. */
export async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
