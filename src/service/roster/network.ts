import { isIP } from 'node:net';

/** More would make the admin key's row, and the check of each request, long. */
const MAX_NETWORKS = 20;
export const NETWORK_RULE = 'must be addresses or networks such as 10.0.0.0/8';
const NETWORKS_RULE = `${NETWORK_RULE}, separated by commas`;
export const ADMIN_KEY_NETWORKS_RULE = `${NETWORKS_RULE}, at most ${MAX_NETWORKS}`;

/** Addresses and networks (`10.0.0.7`, `10.0.0.0/8`, `2001:db8::/32`), separated by commas. */
export function parseNetworks(text: string): readonly string[] | undefined {
  const networks = text.split(',').map(network => network.trim());
  return networks.every(isAddressOrNetwork) ? networks : undefined;
}

/** The same for an admin key, which is used on other machines too: without zones, which are local to one. */
export function parseAdminKeyNetworks(text: string): readonly string[] | undefined {
  const networks = parseNetworks(text);
  return networks && networks.length <= MAX_NETWORKS && !text.includes('%') ? networks : undefined;
}

export const NETWORK_LIST_RULE = `must be a list of addresses or networks such as 10.0.0.0/8, 1 to ${MAX_NETWORKS}`;

/** The same as a list. */
export function parseAdminKeyNetworkList(list: unknown): readonly string[] | undefined {
  const texts = Array.isArray(list) && list.every(each => typeof each === 'string' && !each.includes(','));
  return texts ? parseAdminKeyNetworks(list.join(',')) : undefined;
}

export function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix] = text.split('/', 2);
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (prefix === undefined) return bits > 0;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits && text.split('/').length === 2;
}
