import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { isAddressOrNetwork } from '../roster/network.ts';

/**
 * The key by which requests of one client are counted. An IPv6 customer usually has a /64 and could change its address with
 * every request, so only the first four groups count. An IPv4 address counts in full, also when it is mapped to IPv6.
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown'; // the client reset the connection before its address was read
  const plain = plainAddress(address);
  const mapped = /^::ffff:([0-9.]+)$/i.exec(plain)?.[1];
  if (mapped) return mapped;
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'unknown'; // a proxy may pass on any text, which would be another client each time
  const [head = '', tail] = plain.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const trailing = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + trailing.length < 8) groups.push('0');
  const network = [...groups, ...trailing].slice(0, 4).map(group => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * Returns whether an address is one of these, given as addresses and networks. IPv4 addresses may be mapped to IPv6. A text that
 * is no network, which an admin key may have that was written past Keyroster, has no address in it.
 */
export function addressIsIn(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks.filter(isAddressOrNetwork)) {
    const [address = '', prefix] = network.split('/', 2);
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return address => {
    const plain = plainAddress(address ?? '');
    return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
  };
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Without the port and the brackets that some proxies add, and without the zone, which is local to this machine. */
function plainAddress(address: string): string {
  const parts = /^(?:\[([^\]]*)\]|([0-9.]+))(?::\d+)?$/.exec(address);
  const [plain = address] = (parts?.[1] ?? parts?.[2] ?? address).split('%', 1);
  return plain;
}
