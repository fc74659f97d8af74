/**
 * Gathers single calls into lists: whatever comes while lists are under way goes out together with the next. What a
 * commit or a round trip costs is so shared by all that wait for it.
 */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>;
}

/**
 * Batchers in step with each other: their lists go out at the same moment, so that a store that commits together what
 * comes together writes to disk once for all of them.
 */
export interface BatchStep {
  /**
   * `run` answers its list in order. Where a list fails as a whole, each of its items is tried by itself.
   *
   * @param options.first its lists go out alone and before the others: something waits for them.
   */
  createBatcher<Item, Result>(
    run: (items: readonly Item[]) => Promise<readonly Result[]>,
    options?: { readonly first?: boolean },
  ): Batcher<Item, Result>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** @param options.atOnce steps that may be under way at a time. */
export function createBatchStep(options: { readonly largest: number; readonly atOnce: number }): BatchStep {
  type Sender = () => Promise<void> | undefined;
  /** Each takes what waits for one batcher and gives back its sending, or nothing. */
  const first: Sender[] = [];
  const others: Sender[] = [];
  const takeStep = (senders: readonly Sender[]) => senders.map((send) => send()).filter((each) => each !== undefined);
  let underWay = 0;
  let scheduled = false;

  const schedule = () => {
    if (scheduled || underWay >= options.atOnce) return;
    scheduled = true;
    // After the callbacks of this turn, so that all who came in it go together.
    setImmediate(() => {
      scheduled = false;
      const urgent = takeStep(first);
      const sent = urgent.length > 0 ? urgent : takeStep(others);
      if (sent.length === 0) return;
      underWay++;
      Promise.all(sent).finally(() => {
        underWay--;
        schedule();
      });
      // What did not fit goes at once, where there is room.
      schedule();
    });
  };
  return {
    createBatcher<Item, Result>(
      run: (items: readonly Item[]) => Promise<readonly Result[]>,
      { first: isFirst = false }: { readonly first?: boolean } = {},
    ) {
      let waiting: Waiting<Item, Result>[] = [];
      (isFirst ? first : others).push(() => {
        if (waiting.length === 0) return undefined;
        const batch = waiting.slice(0, options.largest);
        waiting = waiting.slice(options.largest);
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
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(batch.map((each) => each.item));
    batch.forEach((each, index) => {
      each.resolve(results[index]!);
    });
  } catch (error) {
    if (batch.length === 1) batch[0]?.reject(error);
    // One item that cannot be stored must not take the others with it.
    else await Promise.all(batch.map((each) => send(run, [each])));
  }
}
