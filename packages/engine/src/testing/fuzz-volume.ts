/** How often the costly properties are tried: LEEWARD_FUZZ times the committed volume. */
const factor = Number(process.env['LEEWARD_FUZZ'] ?? 1);

export function fuzzVolume(committed: number): number {
  return Math.max(1, Math.round(committed * factor));
}
