/**
 * Removes case, white space, invisible characters, hyphens, dots and underscores, to compare spellings.
 * @example
 * fold('HO 00-03'); // 'ho0003'
 */
export function fold(text: string): string {
  return text.toLowerCase().replace(/[\s_.\u00ad\u200b-\u200d\u2010-\u2015\u2212\ufeff-]+/g, '');
}
