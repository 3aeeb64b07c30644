/** The temporary table that an import copies its source into. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { type ImportId, newId, type OrganizationId } from '../../../../shared/record/identifier.ts';
import { withCopy } from '../../../optional-packages.ts';
import { type ApiKey, renderApiKey } from '../../../roster/api-key.ts';
import type { ImportLine, ImportRefusal } from '../../../roster/writes/imports.ts';
import { type Column, columnsWith, list } from '../../columns.ts';
import { fieldsToWrite } from '../../declared-fields.ts';

type Refuse = (refusal: ImportRefusal) => void;

const createStaged = (columns: readonly Column[]) => `CREATE TEMPORARY TABLE staged (
  line integer NOT NULL, organization_id text COLLATE "C" NOT NULL,
  ${list(columns, ({ given, type, rule }) => `${given} ${type} ${rule}`)}, record text NOT NULL) ON COMMIT DROP`;

/** The table of the staged lines, and the organizations that lines name, in the order in which they do. */
export interface Staged {
  readonly client: Client;
  readonly organizations: readonly OrganizationId[];
  readonly importId: ImportId;
  /** Of a staged key. */
  readonly columns: readonly Column[];
}

/**
 * The staged lines whose key is stored already. A statement over them names each column with its table, as a declared field may
 * have nearly any name. Where all are of one organization it is named, so that only its keys are read, which Citus has on one
 * worker.
 */
export function stagedAndStored(
  { client, organizations: [only, ...others] }: Staged,
  lines = 'staged',
): string {
  const ofOne =
    only === undefined || others.length > 0
      ? ''
      : ` AND staged.organization_id = ${client.escapeLiteral(only)} AND stored.organization_id = ${client.escapeLiteral(only)}`;
  return `${lines} JOIN keyroster.api_keys AS stored
    ON stored.organization_id = staged.organization_id AND stored.id = staged.id${ofOne}`;
}

/**
 * Those whose key differed (`known` of `compare-import.ts`). Citus reads the inner query on the coordinator, and a worker joins no more
 * than these and its keys. With `known` to join too, it compared each line with each where statistics don't know the organization yet.
 */
export const changedAndStored = (staged: Staged) =>
  stagedAndStored(
    staged,
    '(SELECT * FROM staged WHERE line IN (SELECT line FROM known WHERE differs)) AS staged',
  );

/** Stages each line that holds a key, and passes each line with faults to `refuse`. */
export async function stage(
  client: Client,
  source: AsyncIterable<readonly ImportLine[]>,
  refuse: Refuse,
): Promise<Staged> {
  const copyStreams = await withCopy(() => import('pg-copy-streams')); // only imports need it
  const columns = columnsWith(await fieldsToWrite(client));
  await client.query(createStaged(columns));
  const copy = client.query(copyStreams.from('COPY staged FROM STDIN'));
  const organizations = new Set<OrganizationId>();
  await pipeline(Readable.from(copyLines(source, organizations, columns, refuse)), copy);
  await client.query(INDEX_STAGED);
  return { client, organizations: [...organizations], columns, importId: newId('import') };
}

const INDEX_STAGED =
  'CREATE INDEX ON staged (organization_id, id); CREATE UNIQUE INDEX ON staged (line); ANALYZE staged';

async function* copyLines(
  source: AsyncIterable<readonly ImportLine[]>,
  organizations: Set<OrganizationId>,
  columns: readonly Column[],
  refuse: Refuse,
): AsyncGenerator<string> {
  for await (const batch of source) {
    let text = '';
    for (const line of batch) {
      if (line.organizationId !== null) organizations.add(line.organizationId);
      if ('faults' in line) refuse(line);
      else text += copyLine(line, columns);
    }
    if (text !== '') yield text;
  }
}

function copyLine(
  { line, organizationId, key }: Extract<ImportLine, { key: ApiKey }>,
  columns: readonly Column[],
): string {
  const values = [organizationId, ...columns.map(({ input }) => input(key)), renderApiKey(key)];
  const cells = values.map(value => (value === null ? '\\N' : escaped(value)));
  return `${line}\t${cells.join('\t')}\n`;
}

/** Escapes the characters that the text format of COPY reserves (PostgreSQL manual, COPY, "Text Format"). */
function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, character => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Refuses lines that were staged. */
export async function removeStaged(
  client: Client,
  refusals: AsyncIterable<readonly ImportRefusal[]>,
  refuse: Refuse,
): Promise<void> {
  for await (const batch of refusals) {
    for (const refusal of batch) refuse(refusal);
    await client.query('DELETE FROM staged WHERE line = ANY ($1)', [batch.map(({ line }) => line)]);
  }
}
