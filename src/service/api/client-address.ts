import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isAddressOrNetwork } from '../roster/network.ts';
import type { ApiRequest } from './request.ts';

/** Reads the client's address behind proxies: the nearest that is none of these, given as addresses and networks. */
export function clientAddressBehind(proxies: readonly string[]): (request: ApiRequest) => string | undefined {
  if (proxies.length === 0) return request => canonicalAddress(request.peerAddress);
  const isProxy = addressIsIn(proxies);
  return request => {
    const { peerAddress } = request;
    if (!isProxy(peerAddress)) return canonicalAddress(peerAddress); // anybody can write the header, also when nobody knows who it was
    // Each proxy appends the address that it got the request from.
    const forwarded = (request.header('x-forwarded-for') ?? '').split(',').map(address => address.trim());
    const addresses = [peerAddress, ...forwarded.filter(address => address !== '').reverse()];
    return canonicalAddress(addresses.find(address => !isProxy(address)) ?? addresses.at(-1));
  };
}

/**
 * The key by which requests of one client are counted. An IPv6 customer usually has a /64 and could change its address with
 * every request, so only the first four groups count.
 */
export function clientNetwork(address: string | undefined): string {
  const canonical = canonicalAddress(address);
  // The client reset the connection before its address was read, or a proxy passed on a text that is another each time.
  if (canonical === undefined) return 'unknown';
  if (isIPv4(canonical)) return canonical;
  const [head = '', tail] = canonical.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const trailing = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + trailing.length < 8) groups.push('0');
  return `${[...groups, ...trailing].slice(0, 4).join(':')}::/64`;
}

/**
 * The one spelling of an address: without a port, brackets or a zone, and as IPv4 when it is mapped to IPv6. `undefined` for a text
 * that is no address.
 */
function canonicalAddress(address = ''): string | undefined {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return isIPv4(plain) ? plain : undefined;
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bytes = [high, low]
    .map(group => Number.parseInt(group, 16))
    .flatMap(group => [group >> 8, group & 255]);
  return bytes.join('.');
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
    const canonical = canonicalAddress(address);
    return canonical !== undefined && list.check(canonical, familyOf(canonical));
  };
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Without the port and the brackets that some proxies add, and without the zone, which is local to this machine. */
function plainAddress(address: string): string {
  const parts = /^(?:\[([^\]]*)\]|([0-9.]+))(?::\d+)?$/.exec(address);
  const [plain = address] = (parts?.[1] ?? parts?.[2] ?? address).split('%', 1);
  return plain;
}
