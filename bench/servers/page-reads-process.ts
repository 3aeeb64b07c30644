/**
 * Reads pages of many organizations from PostgreSQL, without HTTP: over the service's lanes, or over one connection.
 * `node page-reads-process.ts URL`; its parent sends it `PageReadsRequest`.
 */
import { parsePostgresUrl } from '../../src/postgres/connecting/url.ts';
import { listApiKeys } from '../../src/postgres/list-api-keys.ts';
import { KnownFields } from '../../src/postgres/serving/known-fields.ts';
import { Lanes } from '../../src/postgres/serving/lanes.ts';
import { PipelinedConnection } from '../../src/postgres/serving/pipelined-connection.ts';
import type { PageReads } from '../../src/postgres/serving/reads.ts';
import { NO_FIELDS } from '../../src/roster/declared-fields.ts';
import type { ApiKeyId, OrganizationId } from '../../src/roster/identifier.ts';
import { answerRequests } from '../processes/worker.ts';

export interface PageReadsRequest {
  readonly over: 'lanes' | 'one connection';
  readonly organizations: readonly OrganizationId[];
  /** Pages of 20 that are read at any time. */
  readonly concurrency: number;
  /** Who read pages of 1,000 at the same time, each of another organization. */
  readonly walkers: number;
  readonly seconds: number;
}

export interface PageReadsResult {
  /** Pages of 20. */
  readonly perSecond: number;
  /** Of pages of 20, in milliseconds. */
  readonly p99: number;
}

const url = parsePostgresUrl(process.argv[2] ?? '');
const connection = new PipelinedConnection(url);
const reads: Record<PageReadsRequest['over'], PageReads> = {
  lanes: new Lanes(url, { hasCitus: false }),
  'one connection': {
    fields: new KnownFields(async () => NO_FIELDS),
    pages: async () => ({ rows: statement => connection.rows(statement) }),
  },
};

answerRequests(async ({ over, organizations, concurrency, walkers, seconds }: PageReadsRequest) => {
  const start = performance.now();
  const end = start + seconds * 1000;
  const times: number[] = [];
  let next = 0;
  const readPages = async () => {
    while (performance.now() < end) {
      const began = performance.now();
      const organization = organizations[next++ % organizations.length] as OrganizationId;
      await listApiKeys(reads[over], organization, { limit: 20, cursor: null, filter: {} });
      times.push(performance.now() - began);
    }
  };
  const walk = async (_: unknown, walker: number) => {
    let after: ApiKeyId | undefined;
    while (performance.now() < end) {
      const cursor = after === undefined ? null : ({ direction: 'after', id: after } as const);
      const page = await listApiKeys(reads[over], organizations[walker] as OrganizationId, {
        limit: 1000,
        cursor,
        filter: {},
      });
      after = page?.hasMore ? page.items.at(-1)?.id : undefined;
    }
  };
  await Promise.all([
    ...Array.from({ length: concurrency }, readPages),
    ...Array.from({ length: walkers }, walk),
  ]);
  const elapsed = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const p99 = times[Math.ceil(times.length * 0.99) - 1] ?? 0;
  return { perSecond: times.length / elapsed, p99 } satisfies PageReadsResult;
});
