import { randomBytes } from 'node:crypto';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A key as the service's own: `lw_demo_<26 digits of id>_<256 bits of secret in base 62>`. */
export function createDemoToken(): string {
  return `lw_demo_${digits(crockford, 26, 17)}_${digits(base62, 43, 32)}`;
}

function digits(alphabet: string, places: number, bytes: number): string {
  let value = BigInt(`0x${randomBytes(bytes).toString('hex')}`);
  let text = '';
  for (let place = 0; place < places; place++) {
    text = alphabet[Number(value % BigInt(alphabet.length))] + text;
    value /= BigInt(alphabet.length);
  }
  return text;
}
