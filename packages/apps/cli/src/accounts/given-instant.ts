const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * Converts `90d`, `12h` or `4w` from now, or a date (midnight UTC), to an ISO 8601 time. Times are returned unchanged.
 */
export function givenInstant(text: string, nowMs: number): string {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return new Date(nowMs + Number(count) * unitMs[unit]!).toISOString();
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
}
