/**
 * Unusual and malformed HTTP requests, each sent in one packet between two valid ones of other tenants. An answer to the
 * wrong request is detected by its organization or by the length of its page.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { receiver } from '../../support/http.ts';
import { pipelineWithRetry } from '../../support/pipeline.ts';
import { listRequest, rawCorpus } from '../../support/raw-corpus.ts';
import { VENDOR } from '../../support/roster.ts';
import { startTenantService, type Tenant } from '../../support/service-process.ts';

const service = await startTenantService({ after });
const [first, second, third, other] = service.tenants as [Tenant, Tenant, Tenant, Tenant];
const corpus = rawCorpus(second, other);
const before = listRequest(first, 1);
const following = listRequest(third, 3, 'connection: close\r\n');
const received = receiver(VENDOR);
/** The `connection` header of the last answer. */
let lastConnection: string | undefined;

/** Sends the bytes and returns each answer as its status and, for a page, its organization and number of items. */
async function answersTo(bytes: string) {
  const { answers, rest, timedOut } = await pipelineWithRetry(service.port, bytes);
  assert(!timedOut, 'the service neither answered everything nor closed the connection');
  assert.equal(rest, '');
  return answers.map(answer => {
    const { status, headers, body } = received({
      ...answer,
      method: 'GET',
      path: '/v1/organizations/api_keys',
    });
    lastConnection = headers.connection;
    return status === 200 ? [status, headers['vendor-organization-id'], body.data.length] : [status];
  });
}

const OUTCOMES = {
  'kept open': 'the next request is answered',
  closed: 'the connection is closed',
  either: 'the next request is answered or the connection closed',
};

const pageOf = ({ organization }: Tenant, limit: number) => [200, organization, limit];

for (const { what, bytes, statuses, then } of corpus) {
  const assertOwn = (answer: unknown[] | undefined, others: readonly number[] = []) => {
    if (statuses.includes(200)) assert.deepEqual(answer, pageOf(second, 2));
    else assert([...statuses, ...others].includes(Number(answer)), `answered with ${answer}`);
  };
  const assertNext = (answers: unknown[]) => {
    if (then === 'either' && answers.length === 0)
      assert.equal(lastConnection, 'close', 'the next request is unanswered on an open connection');
    const next = then === 'kept open' || (then === 'either' && answers.length > 0) ? [pageOf(third, 3)] : [];
    assert.deepEqual(answers, next);
  };

  test(`${what}: is answered with ${statuses.join(' or ')} after the request before it, and ${OUTCOMES[then]}`, async () => {
    const [answer, own, ...rest] = await answersTo(before + bytes + following);
    assert.deepEqual(answer, pageOf(first, 1));
    // Within a packet Node can't always tell where the request starts, so a URL that is too long may count as headers.
    assertOwn(own, statuses.includes(414) ? [431] : []);
    assertNext(rest);
  });
}

describe('after these requests the service', () => {
  test('still runs, and has logged no warning', () => {
    assert(service.running());
    assert.deepEqual(service.warnings(), []);
  });

  test('has logged no admin key', () => {
    const log = service.log();
    for (const { secret } of service.tenants) assert(!log.includes(secret));
  });
});
