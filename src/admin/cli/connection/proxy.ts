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

/** Where this process sends its requests: it calls one service. */
let service = '';
let used: Proxy | undefined;

export const usedService = () => service;

/** Sends all that `fetch` sends from now on through the proxy for this address, if there is one. Returns the `fetch` to use. */
export function useProxyFor(baseUrl: URL): typeof fetch {
  service = baseUrl.origin + baseUrl.pathname.replace(/\/$/, '');
  used = proxyFor(baseUrl);
  if (used === undefined) return fetch;
  const { variable, url } = used;
  const { setGlobalProxyFromEnv } = process.getBuiltinModule('node:http');
  if (typeof setGlobalProxyFromEnv === 'function')
    setGlobalProxyFromEnv({ http_proxy: url.href, https_proxy: url.href });
  else if (!process.env.NODE_USE_ENV_PROXY)
    printError(`warning: ${variable}: this version of Node uses it only with NODE_USE_ENV_PROXY=1`);
  return (input, init) => fetch(input, init).catch(error => Promise.reject(refusalOf(error, variable, url)));
}

/** The error with the service in its message, and with the proxy where it may be the cause. Never with a user and password. */
export function withAddressNamed(error: KeyrosterError): KeyrosterError {
  const { type, message } = error;
  const isOfProxy = used !== undefined && /^(network|timeout|certificate)_error$/.test(type);
  const proxy = isOfProxy ? ` (${used?.variable} names the proxy ${used?.url.origin})` : '';
  const start = message.includes(service) ? '' : `${service}: `;
  return new KeyrosterError({ ...error.toJSON(), message: start + message + proxy });
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
