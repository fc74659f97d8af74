const factor = Number(process.env['LEEWARD_TEST_VOLUME'] ?? 1);
const seed = Number(process.env['LEEWARD_SEED'] ?? 0);

/**
 * Returns the number of cases of an expensive test: the committed number, or a multiple of it
 * (`LEEWARD_TEST_VOLUME=20`, as in the nightly run).
 */
export function testVolume(committed: number): number {
  return Math.max(1, Math.round(committed * factor));
}

/**
 * Returns a sample of the cells of one matrix row (every path × every token, for example): one in `every`, different
 * ones in each row, so that `every` rows together cover all columns. A larger volume takes more cells, up to all;
 * `LEEWARD_SEED` selects others.
 */
export function cellsOfRow<T>(columns: readonly T[], row: number, every: number): readonly T[] {
  const step = Math.max(1, Math.round(every / factor));
  return columns.filter((_, column) => (column + row + seed) % step === 0);
}
