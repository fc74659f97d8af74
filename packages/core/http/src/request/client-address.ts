import type { Incoming } from './incoming.ts';

/** True for the address of a proxy whose `X-Forwarded-For` is trusted. */
export type IsTrustedProxy = (address: string) => boolean;

/**
 * The client's address: the peer of the connection or, behind trusted proxies, the last address of `X-Forwarded-For` that is not one of
 * them. The addresses before it can be forged.
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

/** Removes the port that some proxies add: `10.0.0.5:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim().slice(0, 64);
  return /^\[(.+)\]/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** The /64 network of an IPv6 address, since one client owns all of it; else the address. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = ''] = address.split('::');
  return head.split(':').slice(0, 4).join(':');
}
