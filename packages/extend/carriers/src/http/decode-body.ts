const MAX_DECLARATION_BYTES = 200;

/**
 * By byte order mark, charset of Content-Type, zero bytes of UTF-16, or XML declaration, in that order (RFC 7303, section 3.2), else
 * UTF-8. @throws {TypeError} if the encoding is unknown and the bytes are not UTF-8.
 */
export function decodeBody(bytes: Uint8Array, contentType?: string | null): string {
  const label =
    markedEncoding(bytes) ??
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ??
    wideEncoding(bytes) ??
    declaredEncoding(bytes) ??
    'utf-8';
  const decoder = isEncoding(label) ? new TextDecoder(label) : new TextDecoder('utf-8', { fatal: true });
  return decoder.decode(bytes);
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** JSON and XML begin with an ASCII character. */
function wideEncoding([first, second]: Uint8Array): string | undefined {
  if (first === undefined || second === undefined || (first === 0) === (second === 0)) return undefined;
  return first === 0 ? 'utf-16be' : 'utf-16le';
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, MAX_DECLARATION_BYTES)).toString('latin1');
  return /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1];
}
