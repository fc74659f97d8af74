/** An instant as the API writes it: ISO 8601, UTC, microseconds. */
export function instant(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
