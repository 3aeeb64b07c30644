/** Requests for a page of 1,000 keys as API Gateway gives them to a function. */
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';

export type SentHeaders = Readonly<Record<string, string>>;

/** What every client sends, and what API Gateway and CloudFront add. */
const SENT: SentHeaders = {
  'content-length': '0',
  host: 'r3pmxmplak.execute-api.us-east-2.amazonaws.com',
  'cloudfront-viewer-city': 'Łódź',
  'vendor-version': '2023-06-01',
  'x-forwarded-for': '205.255.255.176',
};

/** An event of an HTTP API (payload format 2.0), which joins a header that was sent twice with a comma. */
export const ofHttpApi = (headers: SentHeaders) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: LIST_API_KEYS_PATH,
  rawQueryString: 'limit=1000',
  cookies: ['theme=dark', 'sid=of-ann'],
  headers: { ...SENT, ...headers },
  queryStringParameters: { limit: '1000' },
  requestContext: {
    http: {
      method: 'GET',
      path: LIST_API_KEYS_PATH,
      protocol: 'HTTP/1.1',
      sourceIp: '205.255.255.176',
    },
    stage: '$default',
  },
});

/** An event of a REST API (payload format 1.0), whose names are as they were sent. */
export const ofRestApi = (headers: SentHeaders) => {
  const sent = Object.entries({ ...SENT, ...headers, Cookie: 'theme=dark; sid=of-ann' });
  return {
    path: LIST_API_KEYS_PATH,
    httpMethod: 'GET',
    headers: Object.fromEntries(sent),
    multiValueHeaders: Object.fromEntries(sent.map(([name, value]) => [name, [value]])),
    queryStringParameters: { limit: '1000' },
    multiValueQueryStringParameters: { limit: ['1000'] },
    requestContext: {
      identity: { sourceIp: '205.255.255.176' },
      stage: 'prod',
    },
  };
};
