import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether what is sent to this host, a name or an address, stays on this machine. The brackets of a URL are allowed. */
export function isThisMachine(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const version = isIP(plain);
  if (version === 0) return /^(.+\.)?localhost\.?$/.test(plain);
  return loopback.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}
