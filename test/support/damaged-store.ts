/** A store whose file is damaged and repaired repeatedly while the service serves it. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Caller, callerOf, type Received } from './http.ts';
import type { Scope } from './scope.ts';
import { createTenants, startTenantService, type Tenant, type TenantService } from './service-process.ts';
import { goodCopyOf, storeFaults } from './store-faults.ts';
import { sqlite } from './stores.ts';
import { until } from './until.ts';

const EMPTY_PAGE = '{"data":[],"first_id":null,"last_id":null,"has_more":false}';

/** Damages and repairs the file this many times, while callers of several organizations send requests without a pause. */
export async function damageAndRepairStore(scope: Scope, numRuns: number, seed: number): Promise<void> {
  const service = await startTenantService(scope, { tenants: 3 });
  const other = await sqlite.create();
  scope.after(() => other.remove());
  await createTenants(other, 3);
  const [file = '', otherFile = ''] = [service.store.url, other.url].map(url => url.replace(/^sqlite:/, ''));
  copyFileSync(file, goodCopyOf(file));
  /** Whether the other store has been in the file's place. */
  let hasOther = false;
  const callers = await Promise.all(
    service.tenants.map(tenant => checkingCaller(service, tenant, () => hasOther)),
  );
  scope.after(() => callers.map(({ caller }) => caller.close()));

  let expected = new Set<number>();
  let damage = '';
  let running = true;
  const requests = callers.map(async ({ list }) => {
    while (running) {
      const before = expected; // a refusal may arrive after the file has changed again
      const { status } = await list().catch(error => {
        throw new Error(`while the file was ${damage}: ${error.message}`);
      });
      const allowed = status === 200 || before.has(status) || expected.has(status);
      assert(allowed, `answered with ${status} while the file was ${damage}`);
    }
  });
  const fault = fc.constantFrom(...storeFaults(otherFile));
  const property = fc.asyncProperty(
    fault,
    fc.nat({ max: 95 }),
    async ({ what, damageFile, repairFile, status }, percent) => {
      damage = what;
      expected = new Set([503, status]);
      hasOther ||= status === 401;
      const damagedAt = Date.now();
      damageFile(file, percent / 100);
      const answers = await Promise.all(callers.map(({ list }) => untilAnswered(list, status)));
      if (status === 503)
        await Promise.all(answers.map(answer => assertReasonLogged(service, answer, damagedAt)));
      repairFile(file);
      await Promise.all(callers.map(({ list }) => untilAnswered(list, 200)));
    },
  );
  try {
    await Promise.race([fc.assert(property, { numRuns, seed, endOnFailure: true }), ...requests]);
  } finally {
    running = false;
  }
  await Promise.all(requests);
  assert(service.running());
}

/**
 * A caller that checks that every page is the one that its organization had before the first fault. The admin key is looked up before
 * the page is read: when the other store comes in between, the page is that store's, which has nothing of this organization.
 */
async function checkingCaller({ port }: TenantService, { secret }: Tenant, hasOther: () => boolean) {
  const caller: Caller = callerOf(port, secret);
  const query = 'limit=1000';
  const { text: fullPage } = await caller.send({ query });
  const list = async (): Promise<Received> => {
    const answer = await caller.send({ query });
    const isOfOther = hasOther() && answer.text === EMPTY_PAGE;
    assert(
      answer.status !== 200 || answer.text === fullPage || isOfOther,
      `another page: ${answer.text.slice(0, 200)}`,
    );
    return answer;
  };
  return { caller, list };
}

/** Retries until an answer has this status. A 503 because of a busy machine doesn't count. */
function untilAnswered(list: () => Promise<Received>, status: number): Promise<Received> {
  return until(`the answer is a ${status}`, async () => {
    const answer = await list();
    const isOverloaded = answer.body.error?.type === 'overloaded_error';
    return answer.status === status && !isOverloaded && answer;
  });
}

/** Of one reason the log has a line a second. */
const TOLD_EVERY_MS = 1_000;

/** Asserts that the log says why. Its lines are written in the background and may come after the answer. */
async function assertReasonLogged(
  service: TenantService,
  { body, headers }: Received,
  damagedAt: number,
): Promise<void> {
  assert(Number(headers['retry-after']) > 0);
  const hasReason = (line: string) => {
    const { reason, time } = JSON.parse(line);
    return reason?.length > 0 && time >= damagedAt - TOLD_EVERY_MS;
  };
  await until(`the reason for the 503 of ${body.request_id} is in the log`, () =>
    service.warnings().some(hasReason),
  );
}
