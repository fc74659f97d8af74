/** Limits concurrent calls. The others wait, first in first out. */
export function limitAtOnce(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The slot passes directly to the next waiter.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
