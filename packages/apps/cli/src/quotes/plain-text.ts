/** Text of carriers as a terminal may show it: on one line, and nothing in it that steers the terminal. */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

/** A two-decimal amount as people write it: `184350.00` is `$184,350.00`. */
export function dollars(amount: string): string {
  return `$${amount.replace(/\B(?=(\d{3})+(?=\.))/g, ',')}`;
}
