import { BlockList, isIP } from 'node:net';
import { Problem } from '../problem/problem.ts';
import type { Caller } from './directory.ts';

/** Compiled lists by their text: directories return a new array for each request. */
const compiled = new Map<string, BlockList>();
const MAX_COMPILED = 1_000;

/**
 * Refuses callers outside the networks of their token, and callers whose address is unknown. The answer does not show the list.
 *
 * @param address the client's address by the settings of trusted proxies
 * @throws {Problem} `network_not_allowed`
 */
export function requireNetwork({ networks }: Caller, address: string | undefined): void {
  if (networks == null) return;
  if (address !== undefined && isInNetworks(address, networks)) return;
  const detail = 'This token is not valid from the network of this request. An administrator can change its networks.';
  throw new Problem('network_not_allowed', detail);
}

/** An IPv4 address in IPv6 notation counts as IPv4. Malformed networks contain no address. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const [text = ''] = address.split('%');
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text;
  const version = isIP(plain);
  return version !== 0 && listOf(networks).check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

function listOf(networks: readonly string[]): BlockList {
  const key = networks.join();
  const ready = compiled.get(key);
  if (ready !== undefined) return ready;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits, ...more] = network.split('/');
    const version = isIP(address);
    const maxLength = version === 4 ? 32 : 128;
    const length = bits === undefined ? maxLength : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (version === 0 || more.length > 0 || !(length <= maxLength)) continue;
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  }
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(key, list);
  return list;
}
