/** The service as an operator runs it: `serve` in a child process, over several tenants. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { ApiKeyId, CreatorId, OrganizationId } from '../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../src/shared/record/partial-key-hint.ts';
import type { Timestamp } from '../../src/shared/record/timestamp.ts';
import { endOf, outputOf } from './child.ts';
import { BINS, spawnOptions } from './command-line.ts';
import { createOrganization, importKeys, sqlite } from './roster.ts';
import { atEndOf, type Scope, temporaryFolder } from './scope.ts';
import type { StoreKind, TestStore } from './stores.ts';
import { until } from './until.ts';

/** More than the default limit of a page. */
const KEYS_EACH = 25;

export interface Tenant {
  readonly organization: OrganizationId;
  readonly secret: string;
}

export type TenantService = Awaited<ReturnType<typeof startTenantService>>;

export async function startTenantService(
  scope: Scope,
  {
    tenants = 4,
    kind = sqlite,
    env = {},
    keysEach = KEYS_EACH,
  }: { tenants?: number; kind?: StoreKind; env?: Record<string, string>; keysEach?: number } = {},
) {
  const store = await kind.create();
  atEndOf(scope, () => store.remove());
  const created: readonly Tenant[] = await createTenants(store, tenants, keysEach);
  return { ...(await startServiceProcess(scope, store.url, env)), store, tenants: created };
}

/** Creates organizations whose API keys have the organization's ID in their name, so that a page shows whose it is. */
export async function createTenants(
  store: TestStore,
  count: number,
  keysEach = KEYS_EACH,
): Promise<Tenant[]> {
  const writer = await store.openWriter();
  const tenants: Tenant[] = [];
  for (let number = 0; number < count; number++) {
    const { id: organization, secret } = await createOrganization(writer);
    await importKeys(writer, organization, apiKeysOf(organization, keysEach));
    tenants.push({ organization, secret });
  }
  await writer.close();
  return tenants;
}

export function apiKeysOf(organization: OrganizationId, count = KEYS_EACH): ApiKey[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `apikey_${number}` as ApiKeyId,
    name: `of ${organization}`,
    createdAt: BigInt(number) as Timestamp,
    createdBy: { id: `user_${number % 3}` as CreatorId, type: 'user' },
    partialKeyHint: 'sk-ven-api03-R2D...igAA' as PartialKeyHint,
    status: 'active',
    workspaceId: null,
  }));
}

export async function startServiceProcess(scope: Scope, database: string, env: Record<string, string> = {}) {
  const logFile = join(temporaryFolder(scope), 'log');
  const output = openSync(logFile, 'a');
  const options = spawnOptions({
    env: {
      KEYROSTER_DATABASE_URL: database,
      KEYROSTER_PORT: '0',
      KEYROSTER_RATE_LIMIT: '0',
      ...env,
    },
  });
  const child = spawn(process.execPath, [BINS.keyroster, 'serve'], {
    ...options,
    stdio: ['ignore', output, 'pipe'],
  });
  closeSync(output);
  const stderr = outputOf(child.stderr);
  const end = endOf(scope, child);
  const running = () => child.exitCode === null && child.signalCode === null;
  /** All so far. It is written to a file, so that the test can't slow the service down by reading it late. */
  const log = () => readFileSync(logFile, 'utf8');
  const port = await until('serve listens', () => {
    if (!running()) throw new Error(`serve ended: ${stderr()}`);
    return /listening on https?:\/\/[^"]+:(\d+)/.exec(log())?.[1];
  });
  return {
    port: Number(port),
    pid: child.pid as number,
    log,
    /** Log lines of level 40 (warn) and above. */
    warnings: () => log().match(/^.*"level":[456]0.*$/gm) ?? [],
    running,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Waits until the process has ended. */
    ended: async () => ({ exitCode: await end, stderr: stderr() }),
  };
}
