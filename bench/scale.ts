/**
 * Prints what docs/postgresql.md#citus computes with, measured on a small cluster: `npm run -s build && node bench/scale.ts
 * [ORGANIZATIONS]`. With KEYROSTER_TEST_CITUS_URL it is that one (CONTRIBUTING.md says how to make one), else one PostgreSQL without Citus.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIST_API_KEYS_PATH } from '../src/api/paths.ts';
import { parsePostgresUrl } from '../src/postgres/connecting/url.ts';
import { openWriter } from '../src/postgres/store.ts';
import { newAdminKey } from '../src/roster/admin-key.ts';
import { AdminKeySecret } from '../src/roster/admin-key-secret.ts';
import type { OrganizationId } from '../src/roster/identifier.ts';
import { timestampOfDate } from '../src/roster/timestamp.ts';
import { parseVendor, type Vendor } from '../src/roster/vendor.ts';
import { FEW, LoadClient } from './load/load.ts';
import {
  connectionsTo,
  nodesOfKeys,
  rowsOnCoordinator,
  sizeOf,
  walWritten,
} from './measurements/cluster-sizes.ts';
import { moveShard, pagesDuring } from './measurements/moved-shard.ts';
import { run } from './processes/run.ts';
import { table } from './results/markdown.ts';
import { copyApiKeys } from './roster/copy-api-keys.ts';
import { importFile } from './roster/import-file.ts';
import { BENCH, createRoster, ORGANIZATION } from './roster/store.ts';
import { type Cluster, withCluster } from './servers/cluster.ts';
import { withService } from './servers/service.ts';

const ORGANIZATIONS = Number(process.argv[2] ?? 2_000);
const KEYS_EACH = 100;
const LARGE = 100_000;
const SHARDS = 64;
const SECONDS = 5;

const GOAL_KEYS = 10_000_000_000;
const GOAL_ORGANIZATIONS = 10_000_000;

const rows: [what: string, figure: string][] = [];
const tell = (what: string, figure: number, unit = '') => rows.push([what, `${rounded(figure)}${unit}`]);
const rounded = (figure: number) =>
  figure.toLocaleString('en', figure < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
const seconds = (start: number) => (performance.now() - start) / 1000;

const folder = mkdtempSync(join(tmpdir(), 'keyroster-scale-'));
const client = new LoadClient();
try {
  await withCluster(SHARDS, measure);
} finally {
  client.close();
  rmSync(folder, { recursive: true });
}

async function measure(cluster: Cluster): Promise<void> {
  const { workers } = cluster;
  rows.push(['nodes', workers.length > 0 ? `a coordinator, ${workers.length} workers` : 'one PostgreSQL']);
  const empty = (await sizeOf(cluster, 'organizations')).total;
  const secrets = await makeOrganizations(cluster);
  const perOrganization = ((await sizeOf(cluster, 'organizations')).total - empty) / secrets.length;
  const perKey = await fill(cluster);
  const adminKeys = await rowsOnCoordinator(cluster, 'admin_keys');
  const audit = await rowsOnCoordinator(cluster, 'audit_log');
  tell('bytes of an organization', perOrganization);
  tell('coordinator: admin keys', adminKeys.rows);
  tell('coordinator: bytes of an admin key', adminKeys.bytesEach);
  tell('coordinator: bytes of an entry of the audit log', audit.bytesEach);
  await readPages(cluster, secrets);
  const perAdminKey = adminKeys.bytesEach + 2 * audit.bytesEach;
  print(table(['measured', ''], rows));
  if (workers.length === 0)
    print(['Left out, as KEYROSTER_TEST_CITUS_URL is not set: workers, shards, moving a shard.']);
  print(
    table(
      ['extrapolated', ''],
      [
        ['API keys, TB', rounded((GOAL_KEYS * perKey.loaded) / 1e12)],
        ['API keys after REINDEX, TB', rounded((GOAL_KEYS * perKey.packed) / 1e12)],
        ['organizations, GB', rounded((GOAL_ORGANIZATIONS * perOrganization) / 1e9)],
        [
          'coordinator: admin keys, and the entries of making both, GB',
          rounded((GOAL_ORGANIZATIONS * perAdminKey) / 1e9),
        ],
        ['COPY over one connection, days', rounded(GOAL_KEYS / perKey.copied / 86_400)],
      ],
    ),
  );
}

/** Small ones, and a large one, each with an admin key. Returns their secrets. */
async function makeOrganizations({ url }: Cluster): Promise<string[]> {
  const start = performance.now();
  const secrets = [await createRoster(await openWriter(parsePostgresUrl(url), BENCH))];
  const writer = await openWriter(parsePostgresUrl(url), BENCH);
  for (let number = 0; number < ORGANIZATIONS; number++) {
    const createdAt = timestampOfDate(new Date());
    const organizationId = organizationOf(number);
    await writer.createOrganization({ id: organizationId, name: `Organization ${number}`, createdAt });
    const secret = AdminKeySecret.issue(parseVendor('vendor') as Vendor);
    await writer.createAdminKey(newAdminKey(secret, { organizationId, name: 'scale', createdAt }));
    secrets.push(secret.reveal());
  }
  await writer.close();
  tell('organizations, each with an admin key', secrets.length);
  tell('organizations with an admin key made, a second', secrets.length / seconds(start));
  return secrets;
}

function organizationOf(number: number): OrganizationId {
  return `org_scale_${number % ORGANIZATIONS}` as OrganizationId;
}

/** Imports the large organization's API keys, and copies those of the small ones. */
async function fill(cluster: Cluster) {
  const { url, coordinator } = cluster;
  const empty = (await sizeOf(cluster, 'api_keys')).total;
  const file = join(folder, 'keys.jsonl');
  await run('bench/roster/make-file.ts', [String(LARGE)], { output: file });
  const imported = await importFile(file, url, { inserted: LARGE });
  const small = ORGANIZATIONS * KEYS_EACH;
  const walBefore = await walWritten(cluster);
  const copied = await copyApiKeys(coordinator, small, organizationOf);
  const walOfCopy = (await walWritten(cluster)) - walBefore;
  const start = performance.now();
  await coordinator.query('VACUUM ANALYZE keyroster.api_keys');
  const vacuumed = seconds(start);
  const keys = LARGE + small;
  const loaded = await sizeOf(cluster, 'api_keys');
  await coordinator.query('REINDEX TABLE keyroster.api_keys');
  const packed = ((await sizeOf(cluster, 'api_keys')).total - empty) / keys;
  tell(`API keys: ${LARGE.toLocaleString('en')} of one organization, ${KEYS_EACH} of each other`, keys);
  if (cluster.workers.length > 0) tell('shards, of which each is empty in KB', empty / SHARDS / 1000);
  tell('bytes of an API key, as loaded', (loaded.total - empty) / keys);
  tell('its heap', loaded.heap / keys);
  tell('bytes of an API key after REINDEX', packed);
  tell('import, keys/s', LARGE / imported.seconds);
  tell("an issuer's COPY, keys/s", copied);
  tell('WAL of the COPY, bytes a key', walOfCopy / small);
  tell('VACUUM ANALYZE after both, s', vacuumed);
  return { loaded: (loaded.total - empty) / keys, packed, copied };
}

/** First pages of the organizations in turn, through the service. On a cluster then while the large one's shard moves. */
async function readPages(cluster: Cluster, adminKeys: readonly string[]): Promise<void> {
  const { coordinator, workers, readerUrl } = cluster;
  const paths = adminKeys.map(() => `${LIST_API_KEYS_PATH}?limit=20`);
  await withService(readerUrl, String(adminKeys[0]), async service => {
    const send = (time: number) => client.send({ ...service, adminKeys }, paths, time, FEW);
    await send(SECONDS); // to warm up
    const pages = await pagesDuring(send, new Promise(resolve => setTimeout(resolve, SECONDS * 1000)));
    const tellPages = (when: string, { perSecond, p50, p99, shed }: typeof pages) => {
      tell(`pages/s of all organizations in turn${when}`, perSecond);
      rows.push([`p50, p99 of the worst half second, ms${when}`, `${rounded(p50)}, ${rounded(p99)}`]);
      tell(`503${when}`, shed);
    };
    tellPages('', pages);
    const nodes = [...(workers.length > 0 ? [coordinator] : []), ...nodesOfKeys(cluster)];
    for (const [index, node] of nodes.entries()) {
      const { count, bytes } = await connectionsTo(node, readerUrl);
      const name = index === 0 && workers.length > 0 ? 'the coordinator' : 'a node with API keys';
      tell(`the service's connections to ${name}`, count);
      if (bytes !== null) tell('the most memory of one of them, MB', bytes / 1e6);
    }
    if (workers.length === 0) return;
    const { bytes, move } = await moveShard(coordinator, cluster, ORGANIZATION);
    const moved = await pagesDuring(send, move());
    tell('a shard moved, MB', bytes / 1e6);
    tell('seconds that it took under this load', moved.seconds);
    tellPages(' meanwhile', moved);
    tellPages(
      ' afterwards',
      await pagesDuring(send, new Promise(resolve => setTimeout(resolve, SECONDS * 1000))),
    );
  });
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
