/**
 * `npm run -s build && npx node bench/feed.ts` feeds 2,000 keys a second of random organizations into a store that is served, and
 * prints how long after its line was written a key is listed, and what pages take meanwhile. First over SQLite, then PostgreSQL.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIST_API_KEYS_PATH } from '../src/api/paths.ts';
import type { OrganizationId } from '../src/roster/identifier.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { createOrganization } from '../test/support/roster.ts';
import { storeAt } from '../test/support/store-at.ts';
import { killAtExit } from './processes/kill-at-exit.ts';
import { BIN } from './processes/run.ts';
import { withService } from './servers/service.ts';

const ORGANIZATIONS = 2_000;
const LINES_PER_SECOND = 2_000;
const SECONDS = 10;
const PAGES_PER_SECOND = 200;
/** Lines whose key is looked for. */
const LOOKED_FOR_PER_SECOND = 10;
const LOOK_MS = 10;

type Customer = { readonly id: OrganizationId; readonly secret: string };
const agent = new Agent({ keepAlive: true });

async function measure(name: string, url: string): Promise<void> {
  await storeAt(url).migrate();
  const writer = await storeAt(url).openWriter();
  const customers: Customer[] = [];
  for (let n = 0; n < ORGANIZATIONS; n++) customers.push(await createOrganization(writer));
  await writer.close();
  await withService(url, customers[0]?.secret ?? '', async ({ port }) => {
    const feed = killAtExit(
      spawn(process.execPath, [BIN, 'feed', '-', '--database', url], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    let answered = 0;
    feed.stdout.on('data', (text: Buffer) => {
      answered += text.toString().split('\n').length - 1;
    });
    const some = () => customers[Math.floor(Math.random() * ORGANIZATIONS)] as Customer;
    const write = (id: string, { id: organization_id }: Customer) => {
      const created_by = { id: 'user_bench', type: 'user' };
      const key = { id, name: 'Fed', created_at: new Date().toISOString(), created_by, workspace_id: null };
      const line = { organization_id, ...key, partial_key_hint: 'sk-ven-api03-R2D...igAA', status: 'active' };
      feed.stdin.write(`${JSON.stringify(line)}\n`);
    };
    const pageTimes = () => {
      const times: number[] = [];
      return during(PAGES_PER_SECOND, async () => {
        const start = performance.now();
        await page(port, some().secret, 20);
        times.push(performance.now() - start);
      }).then(() => times);
    };

    await during(LINES_PER_SECOND, async n => write(`warm_${n}`, some()), 5); // the store has keys, all code is warm
    const without = await pageTimes();
    const listed: number[] = [];
    const sentBefore = answered;
    const start = performance.now();
    const [meanwhile] = await Promise.all([
      pageTimes(),
      during(LINES_PER_SECOND, async n => write(`k_${n}`, some())),
      during(LOOKED_FOR_PER_SECOND, async n => {
        const customer = some();
        const start = performance.now();
        write(`looked_for_${n}`, customer);
        while (!(await page(port, customer.secret, 20)).includes(`"looked_for_${n}"`))
          await new Promise(resolve => setTimeout(resolve, LOOK_MS));
        listed.push(performance.now() - start);
      }),
    ]);
    const rate = ((answered - sentBefore) / (performance.now() - start)) * 1000;
    feed.stdin.end();
    const [load] = loadavg();
    process.stdout.write(
      `${name}: ${rate.toFixed(0)} keys/s; listed after ms p50 ${at(listed, 0.5)}, p99 ${at(listed, 0.99)} (${listed.length} keys); ` +
        `pages of 20 ms p50 ${at(without, 0.5)}, p99 ${at(without, 0.99)}; ` +
        `meanwhile p50 ${at(meanwhile, 0.5)}, p99 ${at(meanwhile, 0.99)}; load ${load?.toFixed(1)}\n`,
    );
  });
}

/** Starts the work so many times a second, whether or not that before is done, and waits for all of it. */
async function during(perSecond: number, work: (n: number) => Promise<void>, seconds = SECONDS) {
  const start = performance.now();
  const under: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = start + (n / perSecond) * 1000 - performance.now();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    under.push(work(n));
  }
  await Promise.all(under);
}

/** Asks again where a connection that was kept alive has been closed meanwhile. */
function page(port: number, secret: string, limit: number): Promise<string> {
  const headers = { 'x-api-key': secret, 'vendor-version': '2023-06-01' };
  const path = `${LIST_API_KEYS_PATH}?limit=${limit}`;
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', part => {
        text += part;
      });
      response.on('end', () => resolve(text));
    }).on('error', error => {
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') resolve(page(port, secret, limit));
      else reject(error);
    });
  });
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
}

const folder = mkdtempSync(join(tmpdir(), 'keyroster-bench-'));
chmodSync(folder, 0o711);
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
await measure('SQLite', `sqlite:${join(folder, 'keyroster.db')}`);
const server = await startPostgres();
await measure('PostgreSQL', `${server.url}/postgres`).finally(() => server.stop());
process.exit();
