/** Stores to put into each other's place: the same organizations and IDs of keys, but each key's name says whose it is. */
import { join } from 'node:path';
import type { ApiKey } from '../../src/roster/api-key.ts';
import type { ApiKeyId, CreatorId, OrganizationId } from '../../src/roster/identifier.ts';
import type { PartialKeyHint } from '../../src/roster/partial-key-hint.ts';
import type { StoreReader } from '../../src/roster/roster.ts';
import type { Timestamp } from '../../src/roster/timestamp.ts';
import { migrate } from '../../src/sqlite/migrate.ts';
import { openWriter } from '../../src/sqlite/store.ts';
import { importKeys } from './roster.ts';
import { TEST_ACTOR } from './store-at.ts';

export const ORGANIZATIONS = ['org_1', 'org_2'] as OrganizationId[];
const KEYS = { red: 120, green: 120, blue: 40 } as const;
export type Template = keyof typeof KEYS;
export const TEMPLATES = Object.keys(KEYS) as Template[];

/** The names of each organization's keys, newest first. */
export type Content = readonly (readonly string[])[];

export async function makeTemplates(folder: string): Promise<void> {
  for (const template of TEMPLATES) {
    const file = templateFile(folder, template);
    await migrate(file, TEST_ACTOR);
    const writer = openWriter(file, TEST_ACTOR);
    for (const [number, id] of ORGANIZATIONS.entries()) {
      await writer.createOrganization({ id, name: id, createdAt: 0n as Timestamp });
      await importKeys(writer, id, keysNamed(contentOf(template)[number] ?? []));
    }
    await writer.close();
  }
}

export function templateFile(folder: string, template: Template): string {
  return join(folder, template);
}

export function contentOf(template: Template): Content {
  return ORGANIZATIONS.map(id => Array.from({ length: KEYS[template] }, () => `${template} ${id}`));
}

export function keysNamed(names: readonly string[]): ApiKey[] {
  return names.map((name, number) => ({
    id: `apikey_${number}` as ApiKeyId,
    name: name.padEnd(200), // so that a roster takes many pages of a file
    createdAt: BigInt(names.length - number) as Timestamp,
    createdBy: { id: 'user_1' as CreatorId, type: 'user' },
    partialKeyHint: 'sk-...abcd' as PartialKeyHint,
    status: number % 2 === 0 ? 'active' : 'inactive',
    workspaceId: null,
  }));
}

/** The names that a reader lists, or `null` when it has the store refused. */
export async function listedNames(
  reader: StoreReader,
  organization: OrganizationId,
  active: boolean,
): Promise<readonly string[]> {
  const filter = active ? { status: 'active' as const } : {};
  const page = await reader.listApiKeys(organization, { limit: 1000, cursor: null, filter });
  return (page?.items ?? []).map(({ record }) => (JSON.parse(record) as { name: string }).name.trimEnd());
}
