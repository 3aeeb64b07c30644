import { isIPv6 } from 'node:net';

/**
 * What stands for a client in a count by address. An IPv6 customer holds a whole /64 and could change its address with
 * every request, so its first four groups count; an IPv4 address counts whole, also one written as IPv6.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [plain = address] = address.split('%', 1); // a zone is this machine's own
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  const left = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + left.length < 8) groups.push('0');
  const network = [...groups, ...left].slice(0, 4).map(group => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
