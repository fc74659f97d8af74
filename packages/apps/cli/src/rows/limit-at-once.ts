/** Lets no more than so many calls run at once; the others wait for their turn, the first first. */
export function limitAtOnce(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // A turn is handed on as it is: nobody comes in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
