/** Lookup key of an e-mail address, equal for its spellings. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
