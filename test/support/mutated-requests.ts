import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LIST_API_KEYS_PATH } from '../../src/server/paths.ts';
import { type Received, receiver } from './http.ts';
import { mutated } from './mutations.ts';
import { pipeline } from './pipeline.ts';
import { listRequest, rawCorpus } from './raw-corpus.ts';
import { type ReadRequest, readRequests, valuesOf } from './reference-http.ts';
import { VENDOR } from './roster.ts';
import type { Scope } from './scope.ts';
import { startTenantService, type Tenant, type TenantService } from './service-process.ts';

const DOCUMENTED = [200, 400, 401, 404, 405, 408, 414, 431];
/** Longer ones are cut by the limits alike, and only take time. */
const MAX_SEED_LENGTH = 2_000;

/**
 * Sends this many mutated requests of one tenant, each between good ones of two others in one packet. The answers must be
 * those to the requests that the strictest reading finds there, one each, in turn. Beyond that, the service may refuse.
 */
export async function sendMutatedRequests(scope: Scope, numRuns: number, seed: number): Promise<void> {
  const service = await startTenantService(scope);
  const [first, second, third, other] = service.tenants as [Tenant, Tenant, Tenant, Tenant];
  const seeds = rawCorpus(second, other).filter(({ bytes }) => bytes.length < MAX_SEED_LENGTH);
  const middle = mutated(
    seeds.map(({ bytes }) => bytes),
    other,
  );
  const before = listRequest(first, 1);
  const behind = listRequest(third, 3, 'connection: close\r\n');

  const property = fc.asyncProperty(fc.boolean(), middle, async (inFront, text) => {
    const start = inFront ? before : '';
    await assertAnsweredInTurn(service, start + text + behind, [start.length, start.length + text.length]);
  });
  await fc.assert(property, { numRuns, seed });
  assert(service.running());
  assert.deepEqual(service.warnings(), []);
}

async function assertAnsweredInTurn(
  { port, tenants }: TenantService,
  bytes: string,
  [start, end]: readonly [number, number],
): Promise<void> {
  const { requests, rest, unfinished } = readRequests(bytes, true);
  const fewest = readRequests(bytes).requests.length;
  const read = unfinished ? [...requests, unfinished] : requests;
  const closeAfter = rest === 'not read' ? Infinity : read.length;
  const methods = read.map(({ method }) => method);
  const came = await pipeline(port, bytes, { methods, closeAfter });
  assert(!came.timedOut, 'neither answered nor closed');
  assert.equal(came.rest, '');
  const last = rest === 'malformed' || rest === 'incomplete' ? 1 : 0;
  assert(came.answers.length <= requests.length + last, 'more answers than requests');

  const isPristine = (request: ReadRequest) => request.end <= start || request.start === end;
  for (const [index, answer] of came.answers.entries()) {
    const request = read[index];
    const received = receive({ ...answer, method: request?.method ?? 'GET', path: pathOf(request) });
    assert(DOCUMENTED.includes(received.status), `answered with ${received.status}`);
    if (request && isPristine(request)) {
      const closed =
        received.headers.connection === 'close' && CLOSED_BY_TRAILER.test(bytes.slice(0, request.start));
      assert(received.status === 200 || (received.status === 400 && closed), 'a good request beside it');
    }
    if (received.headers.connection === 'close') {
      assert.equal(came.answers.length, index + 1, 'an answer after the last');
    }
    if (received.status === 200) assertPageFor(request, received, tenants);
    if (!request) assert.equal(received.headers.connection, 'close', 'an answer to nothing');
  }
  const refused = came.answers.at(-1)?.headers.connection === 'close';
  assert(refused || came.answers.length >= fewest || DROPPED.test(bytes), 'a request without an answer');
}

/** Node drops a connection at HTTP/2's method, at once and by itself: with the answers that are under way. */
const DROPPED = /(^|\n)PRI /;

/**
 * Node's parser obeys `connection: close` in the trailers of a body, where it means nothing (RFC 9110, section 6.5.1), and takes
 * what comes behind it for malformed. Nobody gets what isn't theirs.
 */
const CLOSED_BY_TRAILER = /\n0+[^\n]*\n([^\r\n]+\r?\n)*connection:[^\n]*close/i;

const receive = receiver(VENDOR);
const pathOf = (request: ReadRequest | undefined) =>
  request?.target.startsWith('/openapi.json') ? '/openapi.json' : LIST_API_KEYS_PATH;

/** The page is of the organization whose admin key this request has, and as long as this request wants it. */
function assertPageFor(
  request: ReadRequest | undefined,
  { headers, body }: Received,
  tenants: readonly Tenant[],
): void {
  assert(request, 'a page for what is no request');
  const secrets = valuesOf(request, 'x-api-key');
  const owner = tenants.find(({ secret }) => secrets.length === 1 && secrets[0] === secret);
  assert(owner, 'a page without an admin key');
  assert.equal(headers['vendor-organization-id'], owner.organization);
  if (!body) return;
  for (const { name } of body.data) assert.equal(name, `of ${owner.organization}`);
  const limit = /[?&]limit=(\d+)(&|$)/.exec(request.target)?.[1];
  if (!body.first_id || /after_id|before_id/.test(request.target)) return;
  if (limit) assert.equal(body.data.length, Math.min(Number(limit), 25));
}
