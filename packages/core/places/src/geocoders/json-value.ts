// Servers' answers are read leniently: what is missing or of another kind than documented is undefined.

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** A text that is not empty, at most 300 characters of it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 300).toWellFormed() : undefined;
}

/** A finite number, or a text that is one (Nominatim's coordinates). */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
