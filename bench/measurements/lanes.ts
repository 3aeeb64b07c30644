import type { OrganizationId } from '../../src/roster/identifier.ts';
import { Worker } from '../processes/worker.ts';
import { type Compared, compare, ratioOf, type Subject } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
import { atLeast, type Section } from '../results/section.ts';
import { withDelay } from '../servers/delaying-proxy.ts';
import type { PageReadsRequest, PageReadsResult } from '../servers/page-reads-process.ts';
import { type PostgresStore, runSql } from '../servers/postgres.ts';
import type { Bench } from './bench.ts';

const ORGANIZATIONS = Array.from({ length: 64 }, (_, number) => `org_lane_${number}` as OrganizationId);
const KEYS_EACH = 3_000;
const WALKERS = 4;
const DELAY_MS = 1;

const ABOUT = `First pages of ${ORGANIZATIONS.length} organizations with ${KEYS_EACH.toLocaleString('en')} keys each, read in one process without HTTP. A walker
reads pages of 1,000 keys of one organization, one after another.`;

/** The service's lanes against one pipelined connection. */
export async function measureLanes(bench: Bench, { url }: PostgresStore): Promise<Section> {
  await runSql(url, MAKE_ORGANIZATIONS);
  const { port } = new URL(url);
  const alone = await compareAt(bench, url, 0, 'perSecond');
  const walked = await compareAt(bench, url, WALKERS, 'perSecond');
  const walkedP99 = await compareAt(bench, url, WALKERS, 'p99');
  const far = await withDelay(Number(port), DELAY_MS, proxy => {
    const through = new URL(url);
    through.port = String(proxy);
    return compareAt(bench, through.href, 0, 'perSecond');
  });
  return {
    title: 'Lanes over PostgreSQL',
    about: ABOUT,
    lines: [
      ...comparison('pages/s', 'one connection', alone),
      '',
      ...comparison(`pages/s beside ${WALKERS} walkers`, 'one connection', walked),
      '',
      ...comparison(`p99 in ms beside ${WALKERS} walkers`, 'one connection', walkedP99),
      '',
      ...comparison(`pages/s with ${DELAY_MS} ms to the database`, 'one connection', far),
    ],
    goals: [
      atLeast('lanes: pages/s alone, against one connection', 0.9, ratioOf(alone, 1)),
      atLeast('lanes: pages/s beside walkers, against one connection', 1, ratioOf(walked, 1)),
    ],
  };
}

async function compareAt(
  bench: Bench,
  url: string,
  walkers: number,
  figure: keyof PageReadsResult,
): Promise<Compared[]> {
  const worker = new Worker(new URL('../servers/page-reads-process.ts', import.meta.url), [url]);
  const subjects = (['one connection', 'lanes'] as const).map((over): Subject => {
    const request: PageReadsRequest = {
      over,
      organizations: ORGANIZATIONS,
      concurrency: bench.clients.connections,
      walkers,
      seconds: bench.seconds,
    };
    return { label: over, measure: async () => (await worker.request<PageReadsResult>(request))[figure] };
  });
  try {
    return await compare(bench, subjects);
  } finally {
    worker.end();
  }
}

const MAKE_ORGANIZATIONS = `
  INSERT INTO keyroster.organizations (id, name) SELECT 'org_lane_' || n, '' FROM generate_series(0, ${ORGANIZATIONS.length - 1}) AS n
    ON CONFLICT DO NOTHING;
  INSERT INTO keyroster.api_keys (organization_id, id, name, created_at, created_by_id, created_by_type, partial_key_hint)
    SELECT 'org_lane_' || n, 'apikey_01lane' || n || '_' || k, 'Key ' || k, now() - k * interval '1 minute', 'user_' || k % 7, 'user',
      'sk-ven-api03-R2D...igAA'
    FROM generate_series(0, ${ORGANIZATIONS.length - 1}) AS n, generate_series(1, ${KEYS_EACH}) AS k
    ON CONFLICT DO NOTHING;
  ANALYZE keyroster.api_keys`;
