/** Raw HTTP requests with a secret in every place where someone could put one, by accident or on purpose. */
import { parameters } from '../../src/service/api/parse-list-query.ts';

const PATH = '/v1/organizations/api_keys';
const HEADERS = [
  ...['x-api-key', 'authorization', 'proxy-authorization', 'cookie', 'user-agent', 'referer', 'origin'],
  ...['x-request-id', 'request-id', 'traceparent', 'x-forwarded-for', 'forwarded', 'accept', 'if-none-match'],
  ...['vendor-version', 'vendor-organization-id', 'content-type', 'host', 'expect', 'upgrade', 'range'],
  ...['content-length', 'transfer-encoding', 'x-http-method-override'],
];
const PARAMETERS = [...Object.keys(parameters), 'beta', 'api_key', 'x'];
/** Repeats a secret beyond the maximum length of a URL or of headers. */
const TOO_MANY = 400;

/** The requests by the place of the secret, sent with this admin key (`null`: none). */
export function requestsWithSecret(secret: string, adminKey: string | null): Map<string, string> {
  const identity = adminKey === null ? '' : `x-api-key: ${adminKey}\r\n`;
  const end = `host: localhost\r\nvendor-version: 2023-06-01\r\nconnection: close\r\n`;
  const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\n${headers}${identity}${end}\r\n`;
  const body = (method: string, type: string) =>
    `${method} ${PATH} HTTP/1.1\r\n${identity}${end}content-type: ${type}\r\ncontent-length: ${secret.length}\r\n\r\n${secret}`;
  return new Map([
    ...HEADERS.map(name => [`header ${name}`, get(PATH, `${name}: ${secret}\r\n`)] as const),
    ['header name', get(PATH, `${secret}: x\r\n`)],
    ['authorization scheme', get(PATH, `authorization: Bearer ${secret}\r\n`)],
    ['authorization scheme, malformed', get(PATH, `authorization: bearer ${secret}, x\r\n`)],
    ['authorization, twice', get(PATH, `authorization: Basic x\r\nauthorization: Bearer ${secret}\r\n`)],
    ...PARAMETERS.map(name => [`parameter ${name}`, get(`${PATH}?${name}=${secret}`)] as const),
    ...PARAMETERS.map(
      name => [`parameter ${name}, twice`, get(`${PATH}?${name}=1&${name}=${secret}`)] as const,
    ),
    ['parameter name', get(`${PATH}?${secret}=x`)],
    ['parameter name without a value', get(`${PATH}?${secret}`)],
    ['parameter name in brackets', get(`${PATH}?x[${secret}]=x`)],
    ['parameter name with bad encoding', get(`${PATH}?${secret}%zz=x`)],
    ['parameter with bad encoding', get(`${PATH}?limit=${secret}%zz`)],
    ['fragment', get(`${PATH}#${secret}`)],
    ['path', get(`/${secret}`)],
    ['path below', get(`${PATH}/${secret}`)],
    ['path beside', get(`/v1/organizations/${secret}/api_keys`)],
    ['path with bad encoding', get(`/${secret}%zz`)],
    ['absolute target', get(`http://user:${secret}@localhost${PATH}`)],
    ['POST body', body('POST', 'application/json')],
    ['POST form', body('POST', 'application/x-www-form-urlencoded')],
    ['GET body', body('GET', 'text/plain')],
    ['method', `${secret} ${PATH} HTTP/1.1\r\n${identity}${end}\r\n`],
    ['version', `GET ${PATH} HTTP/${secret}\r\n${identity}${end}\r\n`],
    ['the secret alone', `${secret}\r\n\r\n`],
    ['header without a colon', get(PATH, `${secret}\r\n`)],
    ['header with NUL', get(PATH, `x: ${secret}\0\r\n`)],
    ['chunk', `POST ${PATH} HTTP/1.1\r\n${identity}${end}transfer-encoding: chunked\r\n\r\n${secret}\r\n`],
    ['too long a URL', get(`${PATH}?x=${secret.repeat(TOO_MANY)}`)],
    ['too large a header', get(PATH, `x: ${secret.repeat(TOO_MANY)}\r\n`)],
  ]);
}
