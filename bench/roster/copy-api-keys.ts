import { finished } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { timestamptz } from '../../src/postgres/timestamp.ts';
import { makeApiKey } from './make-api-keys.ts';

const COPY = `COPY keyroster.api_keys
  (organization_id, id, name, created_at, created_by_id, created_by_type, partial_key_hint, status, workspace_id) FROM STDIN`;
const BATCH = 1_000;

/** Writes this many API keys into PostgreSQL as an issuer's `COPY` does, oldest first. Returns keys/s. */
export async function copyApiKeys(
  client: Client,
  keys: number,
  organizationOf: (number: number) => string,
): Promise<number> {
  const start = performance.now();
  const copy = client.query(copyFrom(COPY));
  for (let from = 0; from < keys; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, keys - from) }, (_, index) =>
      rowOf(from + index, organizationOf(from + index)),
    );
    if (!copy.write(rows.join(''))) await new Promise(resolve => copy.once('drain', resolve));
  }
  copy.end();
  await finished(copy);
  return (keys / (performance.now() - start)) * 1000;
}

function rowOf(number: number, organization: string): string {
  const { id, name, createdAt, createdBy, partialKeyHint, status, workspaceId } = makeApiKey(number);
  const creation = [timestamptz(createdAt), createdBy.id, createdBy.type];
  return `${[organization, id, name, ...creation, partialKeyHint, status, workspaceId ?? '\\N'].join('\t')}\n`;
}
