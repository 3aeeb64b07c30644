/** The proxy between this machine and a service, by the variables that curl and other programs have for it. */
import { BlockList, isIP } from 'node:net';
import { KeyrosterError } from '../../client/client.ts';
import { isThisMachine } from '../../this-machine.ts';
import { UsageError } from '../options/usage-error.ts';
import { printError } from '../terminal/print.ts';

interface Proxy {
  /** What names it. */
  readonly variable: string;
  /** May have a user and a password. */
  readonly url: URL;
}

/** Where this process sends its requests: it calls one service. */
let service = '';
let used: Proxy | undefined;

/** Sends all that `fetch` sends from now on through the proxy for this address, if there is one. Returns the `fetch` to use. */
export function useProxyFor(baseUrl: URL): typeof fetch {
  service = baseUrl.origin;
  used = proxyFor(baseUrl);
  if (used === undefined) return fetch;
  const { setGlobalProxyFromEnv } = process.getBuiltinModule('node:http');
  if (typeof setGlobalProxyFromEnv === 'function')
    setGlobalProxyFromEnv({ http_proxy: used.url.href, https_proxy: used.url.href });
  else if (!process.env.NODE_USE_ENV_PROXY)
    printError(`warning: ${used.variable}: this version of Node uses it only with NODE_USE_ENV_PROXY=1`);
  const { variable, url } = used;
  return (input, init) => fetch(input, init).catch(error => Promise.reject(refusalOf(error, variable, url)));
}

/** Of a connection, all of which lead to the proxy: it connects to the service. */
const CONNECTING = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_PRX_CONN',
];

/** The error with the service in its message, and with the proxy where it may be the cause. Never with a user and password. */
export function withAddressNamed(error: KeyrosterError): KeyrosterError {
  const text = messageWithProxy(error);
  const message = text.includes(service) ? text : `${service}: ${text}`;
  return new KeyrosterError({ ...error.toJSON(), message });
}

function messageWithProxy({ type, code, message }: KeyrosterError): string {
  if (used === undefined || !/^(network|timeout|certificate)_error$/.test(type)) return message;
  const proxy = `the proxy ${used.url.origin} of ${used.variable}`;
  return CONNECTING.includes(String(code))
    ? `${proxy} can't be reached: ${code}`
    : `${message} (through ${proxy})`;
}

function proxyFor(baseUrl: URL): Proxy | undefined {
  const { protocol, hostname } = baseUrl;
  const upperCase = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = [upperCase.toLowerCase(), upperCase].find(name => process.env[name]);
  if (variable === undefined || isThisMachine(hostname)) return undefined;
  if (isExcluded(baseUrl, process.env.no_proxy || process.env.NO_PROXY || '')) return undefined;
  const text = String(process.env[variable]);
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${variable}: must be the http or https URL of a proxy`);
  return { variable, url };
}

/** Whether it is in this list of names with their subdomains, addresses and ranges, each maybe with a port; `*` is all. */
function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const usedPort = port || (protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some(entry => {
    const parts = /^\[(.*)\](?::(\d+))?$/.exec(entry) ?? /^([^:]*)(?::(\d+))?$/.exec(entry) ?? [];
    const [, name = entry, ofPort = usedPort] = parts; // an address of version 6 without brackets has no port
    const plain = name.toLowerCase().replace(/^\*?\./, '');
    if (plain === '' || ofPort !== usedPort) return false;
    return plain === '*' || host === plain || host.endsWith(`.${plain}`) || isInRange(host, plain);
  });
}

function isInRange(host: string, range: string): boolean {
  const [network = '', prefix = ''] = range.split('/');
  const family = isIP(network);
  const max = family === 4 ? 32 : 128;
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(prefix) || Number(prefix) > max)
    return false;
  const ofFamily = family === 4 ? 'ipv4' : 'ipv6';
  const addresses = new BlockList();
  addresses.addSubnet(network, Number(prefix), ofFamily);
  return addresses.check(host, ofFamily);
}

/** What a proxy answers instead of connecting is deep in the error of `fetch`, and only in a message. */
function refusalOf(error: unknown, variable: string, { origin }: URL): unknown {
  const messages: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) messages.push(each.message);
  const pattern = /Proxy response \((\d{3})\)|Proxy Authentication Required \((407)\)/;
  const [, tunnel, plain] = pattern.exec(messages.join('\n')) ?? [];
  const status = tunnel ?? plain;
  if (status === undefined) return error;
  const advice = status === '407' ? `: put its user and password into ${variable}` : '';
  return new KeyrosterError({
    type: 'unexpected_answer_error',
    status: Number(status),
    message: `the proxy ${origin} of ${variable} answered ${status}${advice}`,
  });
}
