import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ApiKey } from '../roster/api-key.ts';
import { renderApiKey } from '../roster/api-key-record.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ImportCounts, ImportLine, ImportOptions, ImportRefusal } from '../roster/roster.ts';
import { findOrganization } from './organizations.ts';
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
    for (const find of [REPEATED, REFUSED_CHANGES]) await unstage(client, find, organization, refuse);
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
    key.createdBy.type,
    key.partialKeyHint,
    key.status,
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

/** Lines to refuse, each with one fault: line, field, problem, record. */
const REPEATED = `
  SELECT line, 'id' AS field, 'stands on line ' || first || ' already' AS problem, record
  FROM staged JOIN (SELECT id, min(line) AS first FROM staged GROUP BY id HAVING count(*) > 1) AS twice USING (id)
  WHERE line > first AND $1::text IS NOT NULL ORDER BY line`;

const STORED = 'keyroster.api_keys AS stored ON stored.organization_id = $1 AND stored.id = staged.id';

const REFUSED_CHANGES = `
  SELECT line, field, problem, staged.record
  FROM staged JOIN ${STORED} CROSS JOIN LATERAL (VALUES
    (1, 'created_at', 'never changes, and is ' || (stored.record::json->>'created_at'),
      stored.created_at <> staged.created_at),
    (2, 'created_by.id', 'never changes, and is ' || stored.created_by_id, stored.created_by_id <> staged.created_by_id),
    (3, 'created_by.type', 'never changes, and is ' || stored.created_by_type,
      stored.created_by_type <> staged.created_by_type),
    (4, 'status', 'archived is final', stored.status = 'archived' AND staged.status <> 'archived')
  ) AS fault (place, field, problem, found)
  WHERE found ORDER BY line, place`;

async function unstage(
  client: Client,
  find: string,
  organization: OrganizationId,
  refuse: Refuse,
): Promise<void> {
  const { rows } = await client.query<{ line: string; field: string; problem: string; record: string }>(
    find,
    [organization],
  );
  const refusals = new Map<
    number,
    { line: number; faults: { field: string; problem: string }[]; source: string }
  >();
  for (const { line, field, problem, record } of rows) {
    const refusal = refusals.get(Number(line)) ?? { line: Number(line), faults: [], source: record };
    refusal.faults.push({ field, problem });
    refusals.set(refusal.line, refusal);
  }
  for (const refusal of refusals.values()) refuse(refusal);
  if (refusals.size > 0)
    await client.query('DELETE FROM staged WHERE line = ANY ($1)', [[...refusals.keys()]]);
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
