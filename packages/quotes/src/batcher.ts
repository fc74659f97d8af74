/**
 * Gathers single calls into lists: whatever comes while a list is under way goes out together with the next. What a
 * commit or a round trip costs is so shared by all that wait for it.
 */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** `run` answers its list in order. Where a list fails as a whole, each of its items is tried by itself. */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: { readonly largest: number; readonly atOnce: number },
): Batcher<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let scheduled = false;

  const flush = async (batch: readonly Waiting<Item, Result>[]) => {
    try {
      const results = await run(batch.map((each) => each.item));
      batch.forEach((each, index) => {
        each.resolve(results[index]!);
      });
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      // One item that cannot be stored must not take the others with it.
      else await Promise.all(batch.map((each) => flush([each])));
    }
  };
  const schedule = () => {
    if (scheduled || underWay >= options.atOnce || waiting.length === 0) return;
    scheduled = true;
    // After the callbacks of this turn, so that all who came in it go together.
    setImmediate(() => {
      scheduled = false;
      const batch = waiting.slice(0, options.largest);
      waiting = waiting.slice(options.largest);
      underWay++;
      flush(batch).finally(() => {
        underWay--;
        schedule();
      });
      schedule();
    });
  };
  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      }),
  };
}
