import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import { type Received, receiver } from './http.ts';
import { mutated } from './mutations.ts';
import { pipelineWithRetry } from './pipeline.ts';
import { listRequest, rawCorpus } from './raw-corpus.ts';
import { type ReadRequest, readRequests, valuesOf } from './reference-http.ts';
import { VENDOR } from './roster.ts';
import type { Scope } from './scope.ts';
import { startTenantService, type Tenant, type TenantService } from './service-process.ts';

const DOCUMENTED = [200, 400, 401, 404, 405, 408, 414, 431];
/** Longer requests all hit the same limits and only take time. */
const MAX_SEED_LENGTH = 2_000;

/**
 * Sends this many mutated requests of one tenant, each in one packet between valid ones of two others. The requests that
 * the strictest parser finds must each get their own answer, in order. Anything else the service may refuse.
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
  const following = listRequest(third, 3, 'connection: close\r\n');

  const property = fc.asyncProperty(fc.boolean(), middle, async (inFront, text) => {
    const start = inFront ? before : '';
    await assertAnsweredInTurn(service, start + text + following, [start.length, start.length + text.length]);
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
  const minAnswers = readRequests(bytes).requests.length;
  const read = unfinished ? [...requests, unfinished] : requests;
  const closeAfter = rest === 'not read' ? Infinity : read.length;
  const methods = read.map(({ method }) => method);
  const result = await pipelineWithRetry(port, bytes, { methods, closeAfter });
  assert(!result.timedOut, 'neither answered nor closed');
  assert.equal(result.rest, '');
  const last = rest === 'malformed' || rest === 'incomplete' ? 1 : 0;
  assert(result.answers.length <= requests.length + last, 'more answers than requests');

  const isPristine = (request: ReadRequest) => request.end <= start || request.start === end;
  for (const [index, answer] of result.answers.entries()) {
    const request = read[index];
    const received = receive({ ...answer, method: request?.method ?? 'GET', path: pathOf(request) });
    assert(DOCUMENTED.includes(received.status), `answered with ${received.status}`);
    if (request && isPristine(request)) {
      const closed =
        received.headers.connection === 'close' && CLOSED_BY_TRAILER.test(bytes.slice(0, request.start));
      assert(
        received.status === 200 || (received.status === 400 && closed),
        'a valid neighbouring request was refused',
      );
    }
    if (received.headers.connection === 'close') {
      assert.equal(result.answers.length, index + 1, 'an answer after connection: close');
    }
    if (received.status === 200) assertPageFor(request, received, tenants);
    if (!request)
      assert.equal(
        received.headers.connection,
        'close',
        'an answer without a request kept the connection open',
      );
  }
  const refused = result.answers.at(-1)?.headers.connection === 'close';
  assert(
    refused || result.answers.length >= minAnswers || DROPPED.test(bytes),
    'a request without an answer',
  );
}

/** Node drops a connection at once when it reads HTTP/2's method, even with unfinished answers. */
const DROPPED = /(^|\n)PRI /;

/**
 * Node's parser obeys `connection: close` in the trailers of a body, where it means nothing (RFC 9110, section 6.5.1), and
 * refuses what follows as malformed. No tenant gets another's answer.
 */
const CLOSED_BY_TRAILER = /\n0+[^\n]*\n([^\r\n]+\r?\n)*connection:[^\n]*close/i;

const receive = receiver(VENDOR);
const pathOf = (request: ReadRequest | undefined) =>
  request?.target.startsWith('/openapi.json') ? '/openapi.json' : LIST_API_KEYS_PATH;

/** Asserts that the page belongs to the request's admin key and has the requested length. */
function assertPageFor(
  request: ReadRequest | undefined,
  { headers, body }: Received,
  tenants: readonly Tenant[],
): void {
  assert(request, 'a page without a request');
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
