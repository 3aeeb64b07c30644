import { isIPv6 } from 'node:net';

/**
 * The key by which requests of one client are counted. An IPv6 customer usually has a /64 and could change its address with
 * every request, so only the first four groups count. An IPv4 address counts in full, also when it is mapped to IPv6.
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown'; // the client reset the connection before its address was read
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [plain = address] = address.split('%', 1); // the zone is local to this machine
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const trailing = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + trailing.length < 8) groups.push('0');
  const network = [...groups, ...trailing].slice(0, 4).map(group => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
