/** Gathers calls into batches: items that arrive while batches run go out together in the next one and share a commit or round trip. */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>;
}

/** Batchers that send at the same moment, so that a store groups their commits. */
export interface BatchStep {
  /**
   * @param run Returns one result per item, in order. If it rejects, each item is tried separately. @param options.first Sends these
   * batches alone and before the others.
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

export function createBatchStep(options: { readonly maxItems: number; readonly concurrency: number }): BatchStep {
  type Sender = () => Promise<void> | undefined;
  const firstSenders: Sender[] = [];
  const otherSenders: Sender[] = [];
  const sendAll = (senders: readonly Sender[]) => senders.map((send) => send()).filter((sent) => sent !== undefined);
  let running = 0;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled || running >= options.concurrency) return;
    isScheduled = true;
    // Other callbacks of this event loop iteration add their items first.
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
    // One bad item must not fail the others.
    else await Promise.all(batch.map((each) => send(run, [each])));
  }
}
