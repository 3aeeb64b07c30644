import { spawn } from 'node:child_process';
import { LIST_API_KEYS_PATH } from '../src/server/paths.ts';
import { requestsPerSecond } from './load.ts';
import { apiKeyId, creatorId, workspaceId } from './make-api-keys.ts';
import { median, spread } from './statistics.ts';

export interface PageFigure {
  readonly what: string;
  readonly perSecond: number;
  /** Against the first page, measured in turn: median, least and most of the rounds. */
  readonly ratio: readonly [median: number, least: number, most: number];
}

/** The pages that must all cost the same, as query strings; a `cursor` is drawn anew for each request. */
const pages: readonly { what: string; query: (keys: number) => string }[] = [
  { what: 'first page', query: () => '' },
  { what: 'any depth', query: keys => `after_id=${apiKeyId(Math.floor(Math.random() * keys))}` },
  {
    what: 'depth 90 %',
    query: keys => `after_id=${apiKeyId(Math.floor(keys * (0.1 - Math.random() * 0.001)))}`,
  },
  { what: 'status that matches nothing', query: () => 'status=archived' },
  { what: 'status', query: () => 'status=inactive' },
  { what: 'workspace', query: () => `workspace_id=${workspaceId(3)}` },
  { what: 'creator', query: () => `created_by_user_id=${creatorId(7)}` },
  {
    what: 'workspace, creator',
    query: () => `workspace_id=${workspaceId(3)}&created_by_user_id=${creatorId(7)}`,
  },
  {
    what: 'all three filters, any depth',
    query: keys =>
      `status=active&workspace_id=${workspaceId(3)}&created_by_user_id=${creatorId(7)}` +
      `&after_id=${apiKeyId(Math.floor(Math.random() * keys))}`,
  },
];

/** Measures 20-item pages against the first page over a running service, in turn, round by round. */
export async function measurePages(
  database: string,
  secret: string,
  keys: number,
  rounds: number,
): Promise<PageFigure[]> {
  const service = await startService(database);
  const headers = { 'x-api-key': secret, 'vendor-version': '2023-06-01' };
  const rate = (query: (keys: number) => string) =>
    requestsPerSecond(() => `${service.url}${LIST_API_KEYS_PATH}?${query(keys)}`, headers, 3_000);
  try {
    for (const { query } of pages) await rate(query); // warm
    const rates = pages.map(() => [] as number[]);
    for (let round = 0; round < rounds; round++) {
      for (const [index, { query }] of pages.entries()) rates[index]?.push(await rate(query));
    }
    const firstPage = rates[0] ?? [];
    return pages.map(({ what }, index) => {
      const own = rates[index] ?? [];
      return {
        what,
        perSecond: median(own),
        ratio: spread(own.map((figure, round) => figure / (firstPage[round] ?? 0))),
      };
    });
  } finally {
    service.stop();
  }
}

/** `serve` in a process of its own, as an operator runs it. */
export async function startService(database: string): Promise<{ url: string; stop(): void }> {
  const command = ['src/cli/bin.ts', 'serve', '--database', database, '--port', '0'];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', chunk => {
      output = output.length < 10_000 ? output + chunk : output;
      const address = /listening on (http:\S+?)"/.exec(output)?.[1];
      if (address) resolve(address);
    });
    child.on('exit', () => reject(new Error('serve ended')));
  });
  return { url, stop: () => child.kill('SIGTERM') };
}
