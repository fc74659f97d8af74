/**
 * Where a carrier says that something is, as an address. What we are known by goes there too, so that only the carrier’s own
 * origin, and those that its file names, may be meant; undefined for any other.
 *
 * @param base what the carrier was asked at: what it says may be relative to that.
 */
export function allowedAddress(said: string, base: string, others: readonly string[] = []): string | undefined {
  const url = URL.canParse(said, base) ? new URL(said, base) : undefined;
  const origins = [base, ...others].map((each) => new URL(each).origin);
  if (url === undefined || !origins.includes(url.origin) || url.username !== '' || url.password !== '')
    return undefined;
  return url.href;
}
