/**
 * Our credentials are sent to an answer's address, so only the carrier's origin and those in its file are allowed. @param base The
 * answer's address may be relative to it.
 */
export function allowedAddress(address: string, base: string, others: readonly string[] = []): string | undefined {
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  const origins = [base, ...others].map((each) => new URL(each).origin);
  if (url === undefined || !origins.includes(url.origin) || url.username !== '' || url.password !== '')
    return undefined;
  return url.href;
}
