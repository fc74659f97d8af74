import type { Incoming } from './incoming.ts';

/** True for the address of a proxy of the operator, whose `X-Forwarded-For` is believed. */
export type IsTrustedProxy = (address: string) => boolean;

/**
 * The address that a request comes from: the other end of the connection or, behind trusted proxies, the last address of
 * `X-Forwarded-For` that is not one of them. What stands before it, anyone may have written.
 */
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

/** `10.0.0.5:4711` and `[2001:db8::1]:4711` as some proxies write them. */
function withoutPort(hop: string): string {
  const text = hop.trim().slice(0, 64);
  return /^\[(.+)\]/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** The network of an IPv6 address (its first half), since one client has all addresses of it; else the address. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = ''] = address.split('::');
  return head.split(':').slice(0, 4).join(':');
}
