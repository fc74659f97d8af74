/** `"St. Johns County"` and `"saint johns"` are equal. */
export function foldCounty(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim()
    .replace(/\s+(county|parish|borough|municipio|census area|municipality)$/, '')
    .replace(/\bsaint\b/g, 'st')
    .replace(/\bsainte\b/g, 'ste')
    .replace(/[^\p{Letter}\p{Number}]+/gu, '');
}
