/** So many at once, the rest in the order in which they came. */
export interface Slots {
  take(): Promise<void>;
  giveBack(): void;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async take() {
      if (free > 0) {
        free--;
        return;
      }
      await new Promise<void>((grant) => waiting.push(grant));
    },
    giveBack() {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}
