/**
 * Processes items concurrently and yields the results in the order of the items. Yields a result together with the
 * finished ones that follow it without a gap, up to `window`. Takes at most `window` items ahead.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  window: number,
): AsyncGenerator<Result[]> {
  interface Slot {
    readonly promise: Promise<void>;
    settled: { readonly value: Result } | { readonly error: unknown } | undefined;
  }
  const slots: Slot[] = [];
  const start = (item: Item): Slot => {
    const slot: Slot = { promise: work(item).then(settle, fail), settled: undefined };
    function settle(value: Result): void {
      slot.settled = { value };
    }
    function fail(error: unknown): void {
      slot.settled = { error };
    }
    return slot;
  };
  const takeSettled = (): Result[] => {
    const results: Result[] = [];
    while (slots[0]?.settled !== undefined) {
      const { settled } = slots[0];
      if ('error' in settled) {
        if (results.length > 0) break;
        throw settled.error;
      }
      results.push(settled.value);
      slots.shift();
    }
    return results;
  };
  for await (const item of items) {
    slots.push(start(item));
    if (slots.length < window) continue;
    await slots[0]?.promise;
    yield takeSettled();
  }
  while (slots.length > 0) {
    await slots[0]?.promise;
    yield takeSettled();
  }
}
