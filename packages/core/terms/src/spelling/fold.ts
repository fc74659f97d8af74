/**
 * Lower case, without blanks, hyphens, dots and underscores: how two spellings of a name for a value are compared.
 * Characters that nobody sees (soft hyphens, zero-width blanks) count as blanks.
 */
export function fold(text: string): string {
  return text.toLowerCase().replace(/[\s_.\u00ad\u200b-\u200d\u2010-\u2015\u2212\ufeff-]+/g, '');
}
