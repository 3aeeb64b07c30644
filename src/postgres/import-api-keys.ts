import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ApiKey } from '../roster/api-key.ts';
import { renderApiKey } from '../roster/api-key-record.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import { changeFaults, duplicateOf } from '../roster/refusals.ts';
import type { ImportCounts, ImportLine, ImportOptions, ImportRefusal } from '../roster/roster.ts';
import { findOrganization } from './organizations.ts';
import { storedCreatorType, storedStatus } from './stored-values.ts';
import { timestamptz } from './timestamp.ts';
import { inTransaction } from './transaction.ts';

type Refuse = (refusal: ImportRefusal) => void;

/** All in one transaction: `COPY` into a temporary table, the refusals by query, one upsert of what is left. */
export async function importApiKeys(
  client: Client,
  organization: OrganizationId,
  source: AsyncIterable<readonly ImportLine[]>,
  options: ImportOptions,
): Promise<ImportCounts> {
  await findOrganization(client, organization);
  let refused = 0;
  const refuse: Refuse = refusal => {
    refused += 1;
    options.refuse(refusal);
  };
  return inTransaction(client, async () => {
    await client.query(CREATE_STAGED);
    await pipeline(Readable.from(copyLines(source, refuse)), client.query(copyFrom(COPY)));
    await client.query('CREATE INDEX ON staged (id); ANALYZE staged');
    await unstage(client, await duplicates(client), refuse);
    await unstage(client, await refusedChanges(client, organization), refuse);
    if (refused > 0 && !options.withoutRefused) return { inserted: 0, updated: 0, unchanged: 0, refused };
    const { staged, known, changed } = await compare(client, organization);
    if (!options.dryRun) await merge(client, organization, staged, options.progress);
    return { inserted: staged - known, updated: changed, unchanged: known - changed, refused };
  });
}

const CREATE_STAGED = `CREATE TEMPORARY TABLE staged (
  line integer NOT NULL, id text COLLATE "C" NOT NULL, name text NOT NULL, created_at timestamptz NOT NULL,
  created_by_id text COLLATE "C" NOT NULL, created_by_type text NOT NULL, partial_key_hint text NOT NULL,
  status text NOT NULL, workspace_id text COLLATE "C", record text NOT NULL) ON COMMIT DROP`;

const COPY = 'COPY staged FROM STDIN';

async function* copyLines(
  source: AsyncIterable<readonly ImportLine[]>,
  refuse: Refuse,
): AsyncGenerator<string> {
  for await (const batch of source) {
    let text = '';
    for (const staged of batch) {
      if ('faults' in staged) refuse(staged);
      else text += copyLine(staged.line, staged.key);
    }
    if (text !== '') yield text;
  }
}

function copyLine(line: number, key: ApiKey): string {
  const values = [
    String(line),
    key.id,
    escaped(key.name),
    timestamptz(key.createdAt),
    key.createdBy.id,
    storedCreatorType[key.createdBy.type],
    key.partialKeyHint,
    storedStatus[key.status],
    key.workspaceId ?? '\\N',
    escaped(renderApiKey(key)),
  ];
  return `${values.join('\t')}\n`;
}

/** What COPY's text format reserves (PostgreSQL manual, COPY, "Text Format"). */
function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, character => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** The lines whose ID is that of an earlier line, the first of which is `first`. */
const DUPLICATES = `
  SELECT line, first, record
  FROM staged JOIN (SELECT id, min(line) AS first FROM staged GROUP BY id HAVING count(*) > 1) AS twice USING (id)
  WHERE line > first ORDER BY line`;

async function duplicates(client: Client): Promise<ImportRefusal[]> {
  const { rows } = await client.query<{ line: string; first: string; record: string }>(DUPLICATES);
  return rows.map(({ line, first, record }) => ({
    line: Number(line),
    faults: [duplicateOf(Number(first))],
    source: record,
  }));
}

const STORED = 'keyroster.api_keys AS stored ON stored.organization_id = $1 AND stored.id = staged.id';

/** What `changeFaults` may refuse; all other changes stay in the database. */
const FIXED_DIFFERS = `(stored.created_at, stored.created_by_id, stored.created_by_type)
    IS DISTINCT FROM (staged.created_at, staged.created_by_id, staged.created_by_type)
    OR stored.status = 'archived' AND staged.status <> 'archived'`;

async function refusedChanges(client: Client, organization: OrganizationId): Promise<ImportRefusal[]> {
  const text = `SELECT line, stored.record AS before, staged.record AS after FROM staged JOIN ${STORED}
    WHERE ${FIXED_DIFFERS} ORDER BY line`;
  const { rows } = await client.query<{ line: string; before: string; after: string }>(text, [organization]);
  return rows.map(({ line, before, after }) => ({
    line: Number(line),
    faults: changeFaults(JSON.parse(before), JSON.parse(after)),
    source: after,
  }));
}

async function unstage(client: Client, refusals: readonly ImportRefusal[], refuse: Refuse): Promise<void> {
  for (const refusal of refusals) refuse(refusal);
  if (refusals.length > 0)
    await client.query('DELETE FROM staged WHERE line = ANY ($1)', [refusals.map(({ line }) => line)]);
}

const DIFFERS = `(stored.name, stored.status, stored.workspace_id, stored.partial_key_hint)
  IS DISTINCT FROM (staged.name, staged.status, staged.workspace_id, staged.partial_key_hint)`;

async function compare(client: Client, organization: OrganizationId) {
  const text = `SELECT (SELECT count(*) FROM staged) AS staged, count(*) AS known,
    count(*) FILTER (WHERE ${DIFFERS}) AS changed FROM staged JOIN ${STORED}`;
  const { rows } = await client.query<Record<'staged' | 'known' | 'changed', string>>(text, [organization]);
  const { staged = 0, known = 0, changed = 0 } = rows[0] ?? {};
  return { staged: Number(staged), known: Number(known), changed: Number(changed) };
}

/** Rows written between two reports of progress. */
const SLICE = 20_000;

/** Oldest first, so that rows that are near in a page are near on the disk. */
async function merge(
  client: Client,
  organization: OrganizationId,
  staged: number,
  progress: ImportOptions['progress'],
): Promise<void> {
  await client.query(ORDER_STAGED);
  for (let written = 0; written < staged; written += SLICE) {
    await client.query(UPSERT_SLICE, [organization, written, written + SLICE]);
    progress?.(Math.min(written + SLICE, staged), staged);
  }
}

const ORDER_STAGED = `
  CREATE TEMPORARY TABLE ordered ON COMMIT DROP AS
    SELECT line, row_number() OVER (ORDER BY created_at, id) AS place FROM staged;
  CREATE UNIQUE INDEX ON ordered (place);
  CREATE UNIQUE INDEX ON staged (line);
  ANALYZE ordered`;

const UPSERT_SLICE = `
  INSERT INTO keyroster.api_keys AS stored (organization_id, id, name, created_at, created_by_id, created_by_type,
    partial_key_hint, status, workspace_id)
  SELECT $1, id, name, created_at, created_by_id, created_by_type, partial_key_hint, status, workspace_id
  FROM ordered JOIN staged USING (line) WHERE place > $2 AND place <= $3 ORDER BY place
  ON CONFLICT (organization_id, id) DO UPDATE SET name = excluded.name, status = excluded.status,
    workspace_id = excluded.workspace_id, partial_key_hint = excluded.partial_key_hint
  WHERE (stored.name, stored.status, stored.workspace_id, stored.partial_key_hint)
    IS DISTINCT FROM (excluded.name, excluded.status, excluded.workspace_id, excluded.partial_key_hint)`;
