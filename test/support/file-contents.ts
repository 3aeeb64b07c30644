/** Stores to put into each other's place: with the same IDs of keys, but each key's name says whose it is. */
import { join } from 'node:path';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { Filter } from '../../src/shared/record/filters.ts';
import type { ApiKeyId, OrganizationId } from '../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../src/shared/record/timestamp.ts';
import { firstKeys } from './changing-roster.ts';
import { importKeys } from './roster.ts';
import { storeAt } from './store-at.ts';

export const ORGANIZATION = 'org_1' as OrganizationId;
const KEYS = { red: 240, green: 240, blue: 80 } as const;
export type Template = keyof typeof KEYS;
export const TEMPLATES = Object.keys(KEYS) as Template[];
/** The names of the keys, newest first. */
export type Content = readonly string[];

export const contentOf = (template: Template): Content => Array(KEYS[template]).fill(template);

export function keysNamed(names: Content): ApiKey[] {
  return firstKeys(names.length).map((key, number) => ({
    ...key,
    id: `apikey_${number}` as ApiKeyId,
    name: (names[number] ?? '').padEnd(200), // so that a roster takes many pages of a file
    createdAt: BigInt(names.length - number) as Timestamp,
    status: number % 2 === 0 ? 'active' : 'inactive',
  }));
}

export const FILTERS: readonly Filter[] = [{}, { status: 'active' }];

/** The lists by each of `FILTERS` where this is the content. */
export function listsOf(content: Content): string[] {
  return [content, content.filter((_, number) => number % 2 === 0)].map(String);
}

export async function makeTemplates(folder: string): Promise<void> {
  for (const template of TEMPLATES) {
    const store = storeAt(`sqlite:${join(folder, template)}`);
    await store.migrate();
    const writer = await store.openWriter();
    await writer.createOrganization({ id: ORGANIZATION, name: 'Test', createdAt: 0n as Timestamp });
    await importKeys(writer, ORGANIZATION, keysNamed(contentOf(template)));
    await writer.close();
  }
}
