import { addressIsIn, canonicalAddress } from './client-network.ts';
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
