/** A served store whose file is harmed and mended, again and again, while callers list without a pause. */
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { type Caller, callerOf, type Received } from './http.ts';
import type { Scope } from './scope.ts';
import { createTenants, startTenantService, type Tenant, type TenantService } from './service-process.ts';
import { goodCopyOf, storeFaults } from './store-faults.ts';
import { sqlite } from './stores.ts';

/** Far more than the service takes to see that the file is another, or back. */
const MAX_WAIT_MS = 10_000;

/** Harms and mends the file this many times, while callers of several organizations list without a pause. */
export async function damageAndRepairStore(scope: Scope, numRuns: number, seed: number): Promise<void> {
  const service = await startTenantService(scope, { tenants: 3 });
  const other = await sqlite.create();
  scope.after(() => other.remove());
  await createTenants(other, 3);
  const [file, otherFile] = [service.store.url, other.url].map(url => url.replace(/^sqlite:/, '')) as [
    string,
    string,
  ];
  copyFileSync(file, goodCopyOf(file));
  const callers = await Promise.all(service.tenants.map(tenant => watchedCaller(service, tenant)));
  scope.after(() => callers.map(({ caller }) => caller.close()));
  const descriptors = () => readdirSync(`/proc/${service.pid}/fd`).length;
  const descriptorsBefore = process.platform === 'linux' ? descriptors() : 0;

  let expected = new Set<number>();
  let harmed = '';
  let going = true;
  const asking = callers.map(async ({ list }) => {
    while (going) {
      const before = expected; // a refusal is answered a moment after its look-up
      const { status } = await list().catch(error => {
        throw new Error(`while the file was ${harmed}: ${error.message}`);
      });
      const allowed = status === 200 || before.has(status) || expected.has(status);
      assert(allowed, `answered with ${status} while the file was ${harmed}`);
    }
  });
  const fault = fc.constantFrom(...storeFaults(otherFile));
  const property = fc.asyncProperty(
    fault,
    fc.nat({ max: 95 }),
    async ({ what, harm, mend, status }, percent) => {
      harmed = what;
      expected = new Set([503, status]);
      harm(file, percent / 100);
      const answers = await Promise.all(callers.map(({ list }) => until(list, status)));
      if (status === 503) await Promise.all(answers.map(answer => assertExplained(service, answer)));
      mend(file);
      await Promise.all(callers.map(({ list }) => until(list, 200)));
    },
  );
  try {
    await Promise.race([fc.assert(property, { numRuns, seed, endOnFailure: true }), ...asking]);
  } finally {
    going = false;
  }
  await Promise.all(asking);
  assert(service.running());
  if (descriptorsBefore > 0) {
    const now = descriptors();
    assert(now <= descriptorsBefore + 10, `${descriptorsBefore} descriptors have become ${now}`);
  }
}

/** Every page must be the one that this organization had at first. */
async function watchedCaller({ port }: TenantService, { secret }: Tenant) {
  const caller: Caller = callerOf(port, secret);
  const query = 'limit=1000';
  const { text: whole } = await caller.send({ query });
  const list = async (): Promise<Received> => {
    const answer = await caller.send({ query });
    assert(answer.status !== 200 || answer.text === whole, `another page: ${answer.text.slice(0, 200)}`);
    return answer;
  };
  return { caller, list };
}

async function until(list: () => Promise<Received>, status: number): Promise<Received> {
  const late = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const answer = await list();
    if (answer.status === status) return answer;
    assert(performance.now() < late, `still ${answer.status} and not ${status}`);
    await setTimeout(2);
  }
}

/** The log is written in the background, so a line may come after its answer. */
async function assertExplained(service: TenantService, { body, headers }: Received): Promise<void> {
  assert(Number(headers['retry-after']) > 0);
  const isWhy = (line: string) => line.includes(body.request_id) && JSON.parse(line).reason?.length > 0;
  const late = performance.now() + MAX_WAIT_MS;
  while (!service.warnings().some(isWhy)) {
    assert(performance.now() < late, `no log line says why ${body.request_id} was answered so`);
    await setTimeout(5);
  }
}
