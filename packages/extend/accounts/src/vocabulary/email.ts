/** What two spellings of one e-mail address have in common: people are found by it. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
