const factor = Number(process.env['LEEWARD_TEST_VOLUME'] ?? 1);

/**
 * How many cases a costly test takes: the committed number, or a multiple of it (`LEEWARD_TEST_VOLUME=20`, as in the
 * nightly run).
 */
export function testVolume(committed: number): number {
  return Math.max(1, Math.round(committed * factor));
}
