/**
 * A value of a column as text, to compare those of two readers: JSON with sorted keys. Missing values and NaN are null, as in a book, and
 * a group has no members that are null; infinity is a text.
 */
export function canonical(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, each]) => [name, canonical(each)] as const)
      .filter(([, text]) => text !== 'null')
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
      .join(',')}}`;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value + 0) : `"${value}"`;
  return JSON.stringify(value);
}
