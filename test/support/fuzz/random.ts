import { createRandom as createNumbers } from '../random.ts';

/** A seeded source of choices: the same seed makes the same ones. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number, ends included. */
  integer(min: number, max: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  const next = createNumbers(seed);
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (share) => next() < share,
    pick: (items) => items[integer(0, items.length - 1)]!,
  };
}
