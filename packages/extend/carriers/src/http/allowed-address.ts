/**
 * Resolves an address from a carrier's answer. Our credentials are sent to it, so only the carrier's own origin and those in its file
 * are allowed; undefined for any other.
 *
 * @param base Address of the request; the answer's may be relative to it.
 */
export function allowedAddress(address: string, base: string, others: readonly string[] = []): string | undefined {
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  const origins = [base, ...others].map((each) => new URL(each).origin);
  if (url === undefined || !origins.includes(url.origin) || url.username !== '' || url.password !== '')
    return undefined;
  return url.href;
}
