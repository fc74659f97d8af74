/**
 * Gathers single calls into batches: items that arrive while batches are running go out together in the next one, and so share
 * the cost of a commit or a round trip.
 */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>;
}

/** Batchers that send at the same moment, so that a store that groups commits writes to disk once for all of them. */
export interface BatchStep {
  /**
   * @param run Returns one result per item, in order. If it rejects, each item is tried separately.
   * @param options.first True to send these batches alone and before the others.
   */
  createBatcher<Item, Result>(
    run: (items: readonly Item[]) => Promise<readonly Result[]>,
    options?: { readonly first?: boolean },
  ): Batcher<Item, Result>;
}

interface WaitingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * @param options.maxItems Maximum number of items in a batch.
 * @param options.concurrency Maximum number of steps that run at once.
 */
export function createBatchStep(options: { readonly maxItems: number; readonly concurrency: number }): BatchStep {
  /** Sends the waiting items of one batcher; undefined if there are none. */
  type Sender = () => Promise<void> | undefined;
  const firstSenders: Sender[] = [];
  const otherSenders: Sender[] = [];
  const sendAll = (senders: readonly Sender[]) => senders.map((send) => send()).filter((sent) => sent !== undefined);
  let running = 0;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled || running >= options.concurrency) return;
    isScheduled = true;
    // Wait for the other callbacks of this event loop turn, so that their items go out together.
    setImmediate(() => {
      isScheduled = false;
      const urgent = sendAll(firstSenders);
      const batches = urgent.length > 0 ? urgent : sendAll(otherSenders);
      if (batches.length === 0) return;
      running++;
      Promise.all(batches).finally(() => {
        running--;
        schedule();
      });
      // Items beyond the maximum go out at once if another step may run.
      schedule();
    });
  };
  return {
    createBatcher<Item, Result>(
      run: (items: readonly Item[]) => Promise<readonly Result[]>,
      { first = false }: { readonly first?: boolean } = {},
    ) {
      let waiting: WaitingItem<Item, Result>[] = [];
      (first ? firstSenders : otherSenders).push(() => {
        if (waiting.length === 0) return undefined;
        const batch = waiting.slice(0, options.maxItems);
        waiting = waiting.slice(options.maxItems);
        return send(run, batch);
      });
      return {
        add: (item: Item) =>
          new Promise<Result>((resolve, reject) => {
            waiting.push({ item, resolve, reject });
            schedule();
          }),
      };
    },
  };
}

async function send<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  batch: readonly WaitingItem<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(batch.map((each) => each.item));
    batch.forEach((each, index) => {
      each.resolve(results[index]!);
    });
  } catch (error) {
    if (batch.length === 1) batch[0]?.reject(error);
    // Retry each item alone, so that one bad item does not fail the others.
    else await Promise.all(batch.map((each) => send(run, [each])));
  }
}
