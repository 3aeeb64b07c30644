/** An upgrade as docs/installing.md#upgrading says, while clients list and issuers write. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyroster } from '../support/command-line.ts';
import { ExactLists } from '../support/exact-lists.ts';
import { FedKeys } from '../support/fed-keys.ts';
import { importManyKeys } from '../support/million-keys.ts';
import { NEXT_RELEASE } from '../support/next-release.ts';
import { createOrganization, importKeys } from '../support/roster.ts';
import { atEndOf } from '../support/scope.ts';
import { numberedKeys } from '../support/seeded-service.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { postgres, sqlite } from '../support/stores.ts';

const WALKED = numberedKeys(200);
/** That the migration has to go through. */
const KEYS = 1_000_000;
/** At least, in all. */
const REQUESTS = 100_000;

for (const kind of [sqlite, postgres])
  test(`an upgrade to the next release under load, with a million keys over ${kind.name}`, async t => {
    const store = await kind.create();
    atEndOf(t, () => store.remove());
    const writer = await store.openWriter();
    const walked = await createOrganization(writer);
    await importKeys(writer, walked.id, WALKED);
    const large = await createOrganization(writer);
    await importManyKeys(writer, large.id, KEYS);
    await writer.close();

    const tenantOf = ({ id: organization, secret }: typeof large) => ({ organization, secret });
    const fed = new FedKeys(walked.id);
    const lists = new ExactLists({
      walked: { tenant: tenantOf(walked), ids: WALKED.map(({ id }) => id), fed },
      large: { tenant: tenantOf(large), count: KEYS },
    });
    const start = async (env: Record<string, string> = {}) => {
      const service = await startServiceProcess(t, store.url, env);
      lists.add(service.port);
      return service;
    };
    const stop = async (service: Awaited<ReturnType<typeof start>>) => {
      await lists.remove(service.port);
      service.signal('SIGTERM');
      await service.ended();
    };

    let old = await start();
    const listing = lists.run();
    const endOldFeed = fed.start(t, store.url);
    const next = await start(NEXT_RELEASE); // reads the schema before its own
    await lists.until(REQUESTS * 0.2);
    const since = performance.now();
    const { exitCode, stderr } = await keyroster(['migrate'], {
      env: { ...NEXT_RELEASE, KEYROSTER_DATABASE_URL: store.url },
    });
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    const seconds = (performance.now() - since) / 1000;
    const endNextFeed = fed.start(t, store.url, NEXT_RELEASE);
    await lists.until(REQUESTS * 0.5);
    await stop(old);
    old = await start(); // such as a restart in the middle of the upgrade
    await lists.until(REQUESTS * 0.8);
    await endOldFeed();
    await stop(old);
    await lists.until(REQUESTS);
    await endNextFeed();
    await lists.end();
    await listing;
    await stop(next);
    const { answered, walks, shed, failures, longestMs } = lists;
    t.diagnostic(
      `${answered} requests, ${failures.length + shed} failed, ${walks} walks, ${fed.acknowledged().length} keys written, migrate took ${seconds.toFixed(1)} s, the slowest page ${Math.round(longestMs)} ms, the slowest write ${Math.round(fed.longestMs)} ms`,
    );
    assert.deepEqual([shed, failures.slice(0, 5)], [0, []]);
  });
