const factor = Number(process.env['LEEWARD_TEST_VOLUME'] ?? 1);
const seed = Number(process.env['LEEWARD_SEED'] ?? 0);

/**
 * How many cases a costly test takes: the committed number, or a multiple of it (`LEEWARD_TEST_VOLUME=20`, as in the
 * nightly run).
 */
export function testVolume(committed: number): number {
  return Math.max(1, Math.round(committed * factor));
}

/**
 * The cells of one row of a matrix (every path × every token, say): one in `every`, other ones in each row, so that as many rows as
 * that cover all columns. A larger volume takes more of them, up to all; `LEEWARD_SEED` chooses others.
 */
export function cellsOfRow<T>(columns: readonly T[], row: number, every: number): readonly T[] {
  const step = Math.max(1, Math.round(every / factor));
  return columns.filter((_, column) => (column + row + seed) % step === 0);
}
