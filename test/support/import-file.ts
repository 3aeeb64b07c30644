/** Runs the `import` command on lines made by a test. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKeyRecord } from '../../src/shared/record/api-key-record.ts';
import type { Finished } from './command-line.ts';
import type { EmbeddedStore } from './embedded-store.ts';
import { runCommand } from './run-many-commands.ts';

/** A valid record. */
export const record = (id: string, parts: Record<string, unknown> = {}) => ({
  id,
  type: 'api_key',
  name: `Key ${id}`,
  created_at: '2024-10-30T23:58:27.427722Z',
  created_by: { id: 'user_a', type: 'user' },
  partial_key_hint: 'sk-ven-api03-R2D...igAA',
  status: 'active',
  workspace_id: 'wrkspc_a',
  ...parts,
});

export const jsonLines = (records: readonly unknown[]) =>
  records.map(each => `${JSON.stringify(each)}\n`).join('');

/** The objects of JSON Lines. */
export const fromJsonLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

/** Imports a file with this content into the store's organization. */
export function importContent(
  { folder, organization, env }: EmbeddedStore,
  content: string | Uint8Array,
  ...args: string[]
): Promise<Finished> {
  const file = join(folder, 'api-keys.jsonl');
  writeFileSync(file, content);
  return runCommand(['import', file, '--organization', organization, ...args], { env });
}

/** What `import` printed, without the ID of the import, which has to be there. */
export function withoutImportId(printed: string): string {
  assert.match(printed, IMPORT_ID);
  return printed.replace(IMPORT_ID, '');
}

const IMPORT_ID = /, import import_[A-Za-z0-9]{22}(?=\r?\n$)/;

/** As `list --format json` writes them. */
export function listedJson(records: readonly object[], hasMore = false): string {
  return `{"data":[\n${records.map(each => JSON.stringify(each)).join(',\n')}\n],"first_id":null,"last_id":null,"has_more":${hasMore}}\n`;
}

/** A valid record, as an issuer puts it. */
export const putRecord = (id: string, change: Partial<ApiKeyRecord> = {}) =>
  record(id, change) as unknown as ApiKeyRecord;
