/** Text of carriers on one line, without terminal controls. */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

/** `184350.00` → `$184,350.00`. */
export function dollars(amount: string): string {
  return `$${amount.replace(/\B(?=(\d{3})+(?=\.))/g, ',')}`;
}
