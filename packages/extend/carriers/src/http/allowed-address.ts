/**
 * Resolves an address from an answer; undefined unless it is at the carrier's origin or one in its file, because our credentials are
 * sent to it. @param base The answer's address may be relative to it.
 */
export function allowedAddress(address: string, base: string, others: readonly string[] = []): string | undefined {
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  const origins = [base, ...others].map((each) => new URL(each).origin);
  if (url === undefined || !origins.includes(url.origin) || url.username !== '' || url.password !== '')
    return undefined;
  return url.href;
}
