const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 256 bits in base 62. */
const SECRET_DIGITS = 43;
export const SECRET_BYTES = 32;

export const environmentPattern = /^[a-z0-9]{1,16}$/;
const tokenPattern = /^lw_([a-z0-9]{1,16})_([0-9a-z]{26})_([0-9A-Za-z]{43})$/;

/** `lw_<environment>_<id>_<secret>`. */
export interface TokenText {
  readonly environment: string;
  readonly tokenId: string;
}

/** @param secret 32 random bytes. */
export function writeToken(environment: string, tokenId: string, secret: Uint8Array): string {
  return `${tokenPrefix(environment, tokenId)}_${base62(secret)}`;
}

/** The part without the secret. */
export function tokenPrefix(environment: string, tokenId: string): string {
  return `lw_${environment}_${tokenId}`;
}

/** undefined if malformed. */
export function readToken(text: string): TokenText | undefined {
  const [, environment, tokenId] = tokenPattern.exec(text) ?? [];
  return environment === undefined || tokenId === undefined ? undefined : { environment, tokenId };
}

function base62(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (let place = 0; place < SECRET_DIGITS; place++) {
    text = digits[Number(value % 62n)] + text;
    value /= 62n;
  }
  return text;
}
