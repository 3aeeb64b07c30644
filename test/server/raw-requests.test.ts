/**
 * Requests at the edge of HTTP, each between two good ones of other tenants in one packet. An answer that went to the
 * wrong request would show: it bears another organization, or a page of another length.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { receiver } from '../support/http.ts';
import { pipeline } from '../support/pipeline.ts';
import { listRequest, rawCorpus } from '../support/raw-corpus.ts';
import { VENDOR } from '../support/roster.ts';
import { startTenantService, type Tenant } from '../support/service-process.ts';

const scope = { after };
const service = await startTenantService(scope);
const [first, second, third, other] = service.tenants as [Tenant, Tenant, Tenant, Tenant];
const corpus = rawCorpus(second, other);
const before = listRequest(first, 1);
const behind = listRequest(third, 3, 'connection: close\r\n');
const received = receiver(VENDOR);
/** What the last answer's `connection` header said. */
let said: string | undefined;

/** What came, each answer as its status, its organization and how many items it has. */
async function answersTo(bytes: string) {
  const { answers, rest, timedOut } = await pipeline(service.port, bytes, {
    methods: [],
    closeAfter: Infinity,
  });
  assert(!timedOut, 'the service neither answered everything nor closed the connection');
  assert.equal(rest, '');
  return answers.map(answer => {
    const { status, headers, body } = received({
      ...answer,
      method: 'GET',
      path: '/v1/organizations/api_keys',
    });
    said = headers.connection;
    return status === 200 ? [status, headers['vendor-organization-id'], body.data.length] : [status];
  });
}

const pageOf = ({ organization }: Tenant, limit: number) => [200, organization, limit];

for (const { what, bytes, statuses, then } of corpus) {
  const isOwn = (answer: unknown[] | undefined, others: readonly number[] = []) => {
    if (statuses.includes(200)) assert.deepEqual(answer, pageOf(second, 2));
    else assert([...statuses, ...others].includes(Number(answer)), `answered with ${answer}`);
  };
  const isNext = (answers: unknown[]) => {
    if (then === 'either' && answers.length === 0)
      assert.equal(said, 'close', 'not answered, without a word');
    const next = then === 'goes on' || (then === 'either' && answers.length > 0) ? [pageOf(third, 3)] : [];
    assert.deepEqual(answers, next);
  };

  test(`${what}: is answered with ${statuses.join(' or ')}, and ${then === 'goes on' ? 'so is the next request' : 'the connection closed'}`, async () => {
    const [own, ...rest] = await answersTo(bytes + behind);
    isOwn(own);
    isNext(rest);
  });

  test(`${what}: the request in front of it gets its own answer first`, async () => {
    const [answer, own, ...rest] = await answersTo(before + bytes + behind);
    assert.deepEqual(answer, pageOf(first, 1));
    // Where it begins within a packet is hard to tell, so a URL far too long may pass for headers too large.
    isOwn(own, statuses.includes(414) ? [431] : []);
    isNext(rest);
  });
}

describe('after all that the service', () => {
  test('runs, and has logged no fault', () => {
    assert(service.running());
    assert.deepEqual(service.warnings(), []);
  });

  test('has logged no admin key', () => {
    for (const { secret } of service.tenants) assert(!service.log().includes(secret));
  });
});
