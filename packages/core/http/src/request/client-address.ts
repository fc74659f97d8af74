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
