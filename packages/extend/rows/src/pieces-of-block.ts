import { decodeWindows1252 } from './windows-1252.ts';

export interface TextPiece {
  readonly text: string;
  /** Whether it is no UTF-8 and was taken for Windows-1252; it holds one line at most then, with its end. */
  readonly isWindows1252: boolean;
}

const LINE_FEED = 0x0a;

/** Throws for what is no UTF-8; a byte order mark stays. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Text of a block of whole lines. Uses nothing of Node: pages read files as well. */
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
