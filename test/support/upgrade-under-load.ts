/** An upgrade as docs/installing.md#upgrading says, while clients list and issuers write. */
import { keyroster } from './command-line.ts';
import { ExactLists } from './exact-lists.ts';
import { FedKeys } from './fed-keys.ts';
import { importManyKeys } from './million-keys.ts';
import { NEXT_RELEASE } from './next-release.ts';
import { createOrganization, importKeys } from './roster.ts';
import { atEndOf, type Scope } from './scope.ts';
import { numberedKeys } from './seeded-service.ts';
import { startServiceProcess } from './service-process.ts';
import type { StoreKind } from './stores.ts';

const WALKED = numberedKeys(200);

export interface Upgraded {
  readonly answered: number;
  readonly walks: number;
  readonly written: number;
  /** What a page and a write took at most. */
  readonly longestMs: { readonly page: number; readonly write: number };
  /** See `ExactLists`. */
  readonly shed: number;
  readonly failures: readonly string[];
  readonly migrated: { readonly stdout: string; readonly stderr: string; readonly seconds: number };
}

/** @param keys that the migration has to go through. @param requests at least, in all. */
export async function upgradeUnderLoad(
  scope: Scope,
  kind: StoreKind,
  { keys, requests }: { keys: number; requests: number },
): Promise<Upgraded> {
  const store = await kind.create();
  atEndOf(scope, () => store.remove());
  const writer = await store.openWriter();
  const walked = await createOrganization(writer);
  await importKeys(writer, walked.id, WALKED);
  const large = await createOrganization(writer);
  await importManyKeys(writer, large.id, keys);
  await writer.close();

  const tenantOf = ({ id: organization, secret }: typeof large) => ({ organization, secret });
  const fed = new FedKeys(walked.id);
  const lists = new ExactLists({
    walked: { tenant: tenantOf(walked), ids: WALKED.map(({ id }) => id), fed },
    large: { tenant: tenantOf(large), count: keys },
  });
  const start = async (env: Record<string, string> = {}) => {
    const service = await startServiceProcess(scope, store.url, env);
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
  const endOldFeed = fed.start(scope, store.url);
  const next = await start(NEXT_RELEASE); // reads the schema before its own
  await lists.until(requests * 0.2);
  const since = performance.now();
  const { exitCode, stdout, stderr } = await keyroster(['migrate'], {
    env: { ...NEXT_RELEASE, KEYROSTER_DATABASE_URL: store.url },
  });
  if (exitCode !== 0) lists.failures.push(`migrate: ${stderr}`);
  const migrated = { stdout, stderr, seconds: (performance.now() - since) / 1000 };
  const endNextFeed = fed.start(scope, store.url, NEXT_RELEASE);
  await lists.until(requests * 0.5);
  await stop(old);
  old = await start(); // such as a restart in the middle of the upgrade
  await lists.until(requests * 0.8);
  await endOldFeed();
  await stop(old);
  await lists.until(requests);
  await endNextFeed();
  await lists.end();
  await listing;
  await stop(next);
  const { answered, walks, shed, failures } = lists;
  const longestMs = { page: lists.longestMs, write: fed.longestMs };
  return { answered, walks, written: fed.acknowledged().length, longestMs, shed, failures, migrated };
}
