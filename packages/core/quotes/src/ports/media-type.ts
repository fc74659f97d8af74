/** In lower case, without parameters; undefined if malformed (RFC 6838, section 4.2). */
export function mediaTypeOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const [essence = ''] = text.split(';', 1);
  const type = essence.trim().toLowerCase();
  return /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/.test(type) ? type : undefined;
}
