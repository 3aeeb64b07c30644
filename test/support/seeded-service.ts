/** A service over a SQLite roster with generated keys, for tests of HTTP clients. */
import { KeyrosterClient, type KeyrosterClientOptions } from '../../src/client/client.ts';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { NewField } from '../../src/service/roster/writes/new-field.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../src/shared/record/partial-key-hint.ts';
import type { Timestamp } from '../../src/shared/record/timestamp.ts';
import { createOrganization, importKeys, now, sqlite } from './roster.ts';
import { atEndOf, type Scope } from './scope.ts';
import { serveStore } from './service.ts';

export type SeededService = Awaited<ReturnType<typeof startSeededService>>;

const DAY = 86_400_000_000n;

/** Each number is a day older; every third key is inactive, every fifth is in the default workspace. */
export function numberedKey(number: number, parts: Partial<ApiKey> = {}): ApiKey {
  return {
    id: `k${number}` as ApiKeyId,
    name: `Key ${number}`,
    createdAt: (now() - BigInt(number) * DAY) as Timestamp,
    createdBy: { id: `user_${number % 2}` as CreatorId, type: 'user' },
    partialKeyHint: 'sk-ven-api03-R2D...igAA' as PartialKeyHint,
    status: number % 3 === 0 ? 'inactive' : 'active',
    workspaceId: number % 5 === 0 ? null : (`wrkspc_${number % 4}` as WorkspaceId),
    ...parts,
  };
}

export const numberedKeys = (count: number) =>
  Array.from({ length: count }, (_, number) => numberedKey(number));

/** The declared fields of the keys are those that are given, with the numbers that a new store gives them: 1, 2, … */
export async function startSeededService(
  scope: Scope,
  keys: readonly ApiKey[],
  fields: readonly NewField[] = [],
) {
  const store = await sqlite.create();
  atEndOf(scope, () => store.remove());
  const writer = await store.openWriter();
  const { id: organization, secret } = await createOrganization(writer);
  for (const { name, type } of fields) await writer.addField({ name, type });
  await importKeys(writer, organization, keys);
  await writer.close();
  const service = await serveStore(scope, store);
  return {
    service,
    secret,
    organization: organization as string,
    /** The store's URL, for `--database`. */
    database: store.url,
    /** Newest first, the order in which they are listed. */
    ids: keys.map(({ id }): string => id),
    client: (options?: Partial<KeyrosterClientOptions>) =>
      new KeyrosterClient({ baseUrl: service.url, adminKey: secret, ...options }),
  };
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

export const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
