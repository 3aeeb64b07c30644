/** The proxy between this machine and a service, by the variables that curl and other programs have for it. */
import { KeyrosterError } from '../../../client/client.ts';
import { UsageError } from '../../../shared/command/command.ts';
import { printError } from '../../../shared/command/terminal/print.ts';
import { isThisMachine } from '../../../shared/this-machine.ts';

interface Proxy {
  /** What names it. */
  readonly variable: string;
  /** May have a user and a password. */
  readonly url: URL;
}

/** The way to a service. */
export interface Route {
  readonly address: string;
  readonly proxy: Proxy | undefined;
}

/** Node has one setting for all that `fetch` sends: the proxy of each protocol, and the hosts that are called without one. */
const proxies: Record<string, string> = {};
const direct = new Set<string>();

/** On this machine to compress takes half of the service's CPU time, and saves nothing. */
const uncompressed: typeof fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...(init?.headers as object), 'accept-encoding': 'identity' } });

/** Sends all that goes to this address through its proxy, if there is one. Returns the `fetch` to use, too. */
export function routeTo(baseUrl: URL): Route & { readonly fetch: typeof fetch } {
  const { protocol, origin, pathname, hostname, port } = baseUrl;
  const route = { address: origin + pathname.replace(/\/$/, ''), proxy: proxyFor(baseUrl) };
  const { proxy } = route;
  if (proxy) proxies[protocol === 'https:' ? 'https_proxy' : 'http_proxy'] = proxy.url.href;
  else direct.add(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
  const { setGlobalProxyFromEnv } = process.getBuiltinModule('node:http');
  const withoutProxy = isThisMachine(hostname) ? uncompressed : fetch;
  if (Object.keys(proxies).length === 0) return { ...route, fetch: withoutProxy };
  if (typeof setGlobalProxyFromEnv === 'function')
    setGlobalProxyFromEnv({ ...proxies, no_proxy: [...direct].join() });
  else if (proxy && !process.env.NODE_USE_ENV_PROXY)
    printError(`warning: ${proxy.variable}: this version of Node uses it only with NODE_USE_ENV_PROXY=1`);
  if (!proxy) return { ...route, fetch: withoutProxy };
  const send: typeof fetch = (input, init) =>
    fetch(input, init).catch(error => Promise.reject(refusalOf(error, proxy)));
  return { ...route, fetch: send };
}

/** The error with the service in its message, and with the proxy where it may be the cause. Never with a user and password. */
export function withAddressNamed(error: KeyrosterError, { address, proxy }: Route): KeyrosterError {
  const { type, message } = error;
  const isOfProxy = proxy !== undefined && /^(network|timeout|certificate)_error$/.test(type);
  const cause = isOfProxy ? ` (${proxy.variable} names the proxy ${proxy.url.origin})` : '';
  const start = message.includes(address) ? '' : `${address}: `;
  return new KeyrosterError({ ...error.toJSON(), message: start + message + cause });
}

function proxyFor(service: URL): Proxy | undefined {
  const { protocol, hostname } = service;
  const upperCase = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = [upperCase.toLowerCase(), upperCase].find(name => process.env[name]);
  if (variable === undefined || isThisMachine(hostname) || isExcepted(service)) return undefined;
  const url = URL.parse(String(process.env[variable]));
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${variable}: must be the http or https URL of a proxy`);
  return { variable, url };
}

/** `NO_PROXY` has `*`, or hosts whose subdomains are meant too, with or without a dot before and a port behind. */
function isExcepted({ protocol, hostname, port }: URL): boolean {
  const usedPort = port || (protocol === 'https:' ? '443' : '80');
  return (process.env.no_proxy || process.env.NO_PROXY || '').split(/[,\s]+/).some(name => {
    if (name === '*') return true;
    const { domain = '', only = usedPort } =
      /^\*?\.?(?<domain>.+?)(:(?<only>\d+))?$/.exec(name)?.groups ?? {};
    return domain !== '' && only === usedPort && `.${hostname}`.endsWith(`.${domain}`);
  });
}

/** What a proxy answers instead of connecting is deep in the error of `fetch`, and only in a message. */
function refusalOf(error: unknown, { variable, url }: Proxy): unknown {
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
    message: `the proxy ${url.origin} of ${variable} answered ${status}${advice}`,
  });
}
