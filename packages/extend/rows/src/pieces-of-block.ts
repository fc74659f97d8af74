export interface TextPiece {
  readonly text: string;
  /** True for a single line that was decoded as Windows-1252. */
  readonly isWindows1252: boolean;
}

const LINE_FEED = 0x0a;

/** Throws for invalid UTF-8. Keeps a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes a block of whole lines. Runs in a browser. */
export function* piecesOf(block: Uint8Array): Generator<TextPiece> {
  if (block.length === 0) return;
  const whole = decodeUtf8(block);
  if (whole !== undefined) {
    yield { text: whole, isWindows1252: false };
    return;
  }
  for (let from = 0; from < block.length; ) {
    const feed = block.indexOf(LINE_FEED, from);
    const end = feed < 0 ? block.length : feed + 1;
    const line = block.subarray(from, end);
    const text = decodeUtf8(line);
    yield { text: text ?? decodeWindows1252(line), isWindows1252: text === undefined };
    from = end;
  }
}

/** 0x80 to 0x9F. Undefined code points remain control characters, as in the Encoding Standard. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The `TextDecoder` of some versions of Node 22 to 24 decodes Latin-1 instead. */
function decodeWindows1252(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte >= 0x80 && byte <= 0x9f ? HIGH[byte - 0x80]! : String.fromCharCode(byte);
  return text;
}
