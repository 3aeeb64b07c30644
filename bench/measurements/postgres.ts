import type { Target } from '../load/load.ts';
import { Worker } from '../processes/worker.ts';
import { compare, ratioOf } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
import { atLeast, type Goal, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { PostgresStore } from '../servers/postgres.ts';
import { cpuSeconds } from '../servers/server.ts';
import { withService } from '../servers/service.ts';
import { type Bench, perCpuSecond } from './bench.ts';

const ABOUT = `Pages for each second of CPU time of the process; that of PostgreSQL doesn't count. The bare server
(\`bench/servers/bare-pool-process.ts\`) is \`node:http\` over the pool of \`pg\` with as many connections as there are clients. It runs
the same prepared statement, and checks nothing: no admin key, parameters, log line, or limit of the pages that one organization
reads at a time.`;

/** A third more CPU time than that of the bare server. */
const GOAL = 1 / 1.3;

/** The service over PostgreSQL against a bare server with the same statement. */
export async function measurePostgres(bench: Bench, { url, secret }: PostgresStore): Promise<Section> {
  const worker = new Worker(new URL('../servers/bare-pool-process.ts', import.meta.url), [url]);
  const pages: Readonly<Record<string, () => readonly string[]>> = {
    'the first page': () => [''],
    'a different cursor each time': () => drawCursors(bench.keys).map(id => `after_id=${id}`),
    '1,000 keys, a different cursor each time': () =>
      drawCursors(bench.keys).map(id => `limit=1000&after_id=${id}`),
  };
  try {
    const { port } = await worker.request<Pick<Target, 'port'>>({});
    return await withService(url, secret, async service => {
      const bare = { port, headers: service.headers, cpuSeconds: () => cpuSeconds(worker.pid) };
      const lines: string[] = [];
      const goals: Goal[] = [];
      for (const [what, queries] of Object.entries(pages)) {
        const compared = await compare(bench, [
          perCpuSecond(bench, `the bare server, ${what}`, bare, queries),
          perCpuSecond(bench, `the service, ${what}`, service, queries),
        ]);
        lines.push(...comparison('pages', 'the bare server', compared), '');
        goals.push(atLeast(`PostgreSQL, ${what}`, GOAL, ratioOf(compared, 1)));
      }
      return {
        about: ABOUT,
        title: `PostgreSQL, ${bench.keys.toLocaleString('en')} keys`,
        lines: lines.slice(0, -1),
        goals,
      };
    });
  } finally {
    worker.end();
  }
}
