import type { Incoming } from './incoming.ts';

/** For proxies whose `X-Forwarded-For` is trusted. */
export type IsTrustedProxy = (address: string) => boolean;

/** The peer or, behind trusted proxies, the last address of `X-Forwarded-For` that is not a proxy. Earlier ones can be forged. */
export function clientAddressOf(
  incoming: Pick<Incoming, 'address' | 'header'>,
  isTrustedProxy: IsTrustedProxy | undefined,
): string | undefined {
  const { address } = incoming;
  if (address === undefined || isTrustedProxy === undefined || !isTrustedProxy(address)) return address;
  const hops = (incoming.header('x-forwarded-for') ?? '').split(',').map(withoutPort).reverse();
  let client = address;
  for (const hop of hops) {
    if (hop === '') break;
    client = hop;
    if (!isTrustedProxy(hop)) break;
  }
  return client;
}

/** Removes a port: `10.0.0.5:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim().slice(0, 64);
  return /^\[(.+)\]/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** The /64 network of IPv6, which one client owns; else the address. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = ''] = address.split('::');
  return head.split(':').slice(0, 4).join(':');
}

/**
 * The network of a client for the audit log, without the address: /24 of IPv4, also of an IPv4 address in IPv6 notation, /64 of IPv6.
 * undefined for other texts.
 */
export function auditedNetworkOf(address: string | undefined): string | undefined {
  const text = address?.split('%')[0] ?? '';
  const v4 = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(text)?.[1];
  if (v4 !== undefined) return `${v4}.0/24`;
  if (!/^[\da-f:]{2,39}$/i.test(text) || !text.includes(':')) return undefined;
  const [head = '', tail] = text.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const first = [...groups, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4);
  return `${first.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
