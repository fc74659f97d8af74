/** A seeded source of numbers in [0, 1): a linear congruence of 2^32, good enough to scatter test points. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How many cases a test takes: the committed number, or a multiple of it where LEEWARD_TEST_VOLUME is set. */
export function testVolume(committed: number): number {
  return Math.round(committed * Number(process.env['LEEWARD_TEST_VOLUME'] ?? 1));
}
