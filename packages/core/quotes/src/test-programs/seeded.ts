/** Park and Miller's minimal standard generator: numbers of [0, 1), repeatable by seed. */
export function seeded(start: number): () => number {
  let state = start % 2147483647 || 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}
