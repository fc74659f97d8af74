/** 0x80 to 0x9F; what the code page leaves undefined stays a control character, as the Encoding Standard has it. */
const high = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Text of Windows-1252. Some versions of Node 22 to 24 read it as Latin-1, so that no `TextDecoder` stands here. */
export function decodeWindows1252(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte >= 0x80 && byte <= 0x9f ? high[byte - 0x80]! : String.fromCharCode(byte);
  return text;
}
