import { isIP } from 'node:net';

/** Maximum number of networks of a token. */
export const MAX_NETWORKS = 32;

/** A network in its usual spelling, or why it cannot be used. */
export type ReadNetwork = { readonly network: string } | { readonly message: string };

/**
 * Reads an address or a network in CIDR notation. A network of IPv4-mapped addresses becomes one of IPv4: servers report such clients in both
 * spellings.
 */
export function readNetwork(text: string): ReadNetwork {
  const [address = '', bits, ...more] = text.trim().split('/');
  const parsed = parseAddress(address);
  const maxLength = parsed?.version === 4 ? 32 : 128;
  const length = bits === undefined ? maxLength : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (parsed === undefined || more.length > 0 || !(length <= maxLength)) {
    return {
      message: `must be an address or a network such as 203.0.113.7, 198.51.100.0/24 or 2001:db8::/48; this is ${JSON.stringify(text.slice(0, 60))}.`,
    };
  }
  const hostBits = BigInt(maxLength - length);
  const first = (parsed.value >> hostBits) << hostBits;
  if (first !== parsed.value) {
    const network = writeNetwork(parsed.version, first, length);
    return { message: `must begin at the first address of the network: ${network} instead of ${text.trim()}.` };
  }
  const isMapped = parsed.version === 6 && length >= 96 && parsed.value >> 32n === 0xffffn;
  return {
    network: isMapped
      ? writeNetwork(4, parsed.value & 0xffff_ffffn, length - 96)
      : writeNetwork(parsed.version, parsed.value, length),
  };
}

interface Address {
  readonly version: 4 | 6;
  readonly value: bigint;
}

function parseAddress(text: string): Address | undefined {
  const version = isIP(text);
  if (version === 4) return { version, value: valueOfGroups(text.split('.'), 8n, 10) };
  if (version !== 6 || text.includes('%')) return undefined;
  // The URL parser also writes a dotted end in hexadecimal.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - groups.length - after.length).fill('0');
  return { version, value: valueOfGroups([...groups, ...zeros, ...after], 16n, 16) };
}

function valueOfGroups(groups: readonly string[], bits: bigint, base: 10 | 16): bigint {
  return groups.reduce((value, group) => (value << bits) | BigInt(Number.parseInt(group, base)), 0n);
}

/** Single addresses have no prefix length. */
function writeNetwork(version: 4 | 6, value: bigint, length: number): string {
  const groupsOf = (count: number, bits: bigint, base: number) =>
    Array.from({ length: count }, (_, at) =>
      ((value >> (bits * BigInt(count - 1 - at))) & ((1n << bits) - 1n)).toString(base),
    );
  const address =
    version === 4
      ? groupsOf(4, 8n, 10).join('.')
      : new URL(`http://[${groupsOf(8, 16n, 16).join(':')}]`).hostname.slice(1, -1);
  return length === (version === 4 ? 32 : 128) ? address : `${address}/${length}`;
}
