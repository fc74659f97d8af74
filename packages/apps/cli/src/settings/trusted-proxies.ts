import { BlockList, isIP } from 'node:net';

/**
 * Reads addresses and networks of proxies, separated by commas: `10.0.0.5, 10.1.0.0/16, fd00::/8`. Throws a `RangeError` that
 * goes on from the name of the setting.
 *
 * @returns true for an address that is one of them, or in one of the networks
 */
export function readTrustedProxies(text: string): (address: string) => boolean {
  const proxies = new BlockList();
  for (const each of text.split(',').map((part) => part.trim())) {
    const [address = '', bits, ...more] = each.split('/');
    const version = isIP(address);
    const maxBits = version === 4 ? 32 : 128;
    const length = bits === undefined ? maxBits : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (version === 0 || more.length > 0 || !(length <= maxBits)) {
      throw new RangeError(`has ${JSON.stringify(each)}; give addresses or networks, such as 10.0.0.5 or 10.1.0.0/16.`);
    }
    proxies.addSubnet(address, length, `ipv${version === 4 ? 4 : 6}`);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
