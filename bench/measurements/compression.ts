import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import { FEW, FOR_LARGE_PAGES, type Target } from '../load/load.ts';
import type { Walk, WalkResult } from '../load/walk-process.ts';
import { keepToCore } from '../processes/keep-to-core.ts';
import { Worker } from '../processes/worker.ts';
import { type Compared, compare } from '../results/compare.ts';
import { quantity, spreadText, table } from '../results/markdown.ts';
import type { Section } from '../results/section.ts';
import { type Spread, spread } from '../results/statistics.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import { requestPage } from '../servers/server.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';
import { measureSlowLink } from './slow-link.ts';

const ABOUT = `Each client accepts one coding, or none. A process with two cores compresses one answer at a time and sends the others
as they are, so under load not every answer is compressed. On one core it does the same here, as the process was started on
both. The link is that of a network namespace, limited by \`tc\` (\`tbf\`); a round trip of 40 ms is a wait of the client before
each request.`;

const CODINGS = ['identity', 'zstd', 'br', 'gzip'] as const;
/** As in \`during-walk.ts\`. */
const TIMES_LONGER = 3;

const accepting = (target: Target, coding: string): Target => ({
  ...target,
  headers: { ...target.headers, 'accept-encoding': coding },
});

/** Compressed answers: their size, how many there are per second, small pages beside them, and a walk over a slow link. */
export async function measureCompression(bench: Bench, store: SqliteStore): Promise<Section> {
  const { file, secret } = store;
  const database = `sqlite:${file}`;
  const onTwo = await withService(database, secret, service => ratesOf({ ...bench, clients: FEW }, service));
  const onOne = await withService(database, secret, service => {
    keepToCore(service.pid, 0);
    return ratesOf({ ...bench, clients: FOR_LARGE_PAGES }, service);
  });
  const [bytes, beside] = await withService(database, secret, async service => [
    await bytesOf(service),
    await besideWalk(bench, service),
  ]);
  const link = await measureSlowLink(bench, store);
  const row = (coding: string, index: number) => [
    coding === 'identity' ? 'none' : coding,
    ((bytes[index] ?? 0) / 1e3).toFixed(1),
    ...[onOne, onTwo].flatMap(rates => rateText(rates[index])),
    spreadText(beside[index] ?? { median: 0, low: 0, high: 0 }, 2),
  ];
  return {
    title: 'Compression',
    about: ABOUT,
    lines: [
      ...table(
        [
          'pages of 1,000, coding',
          'KB',
          'pages/s, one core',
          'against none',
          'two cores',
          'against none',
          'p99 of 20 keys beside a walk, against no walk',
        ],
        CODINGS.map(row),
      ),
      '',
      ...link.lines,
    ],
    goals: link.goals,
  };
}

const rateText = (compared: Compared | undefined) =>
  compared ? [quantity(compared.median), spreadText(compared.ratio, 2)] : ['', ''];

async function bytesOf(service: Target): Promise<number[]> {
  const bytes: number[] = [];
  for (const coding of CODINGS)
    bytes.push((await requestPage(accepting(service, coding), 'limit=1000')).body.length);
  return bytes;
}

function ratesOf(bench: Bench, service: Target): Promise<Compared[]> {
  const queries = () => drawCursors(bench.keys).map(id => `limit=1000&after_id=${id}`);
  return compare(
    bench,
    CODINGS.map(coding => requests(bench, coding, accepting(service, coding), queries)),
  );
}

/** How many times as long the slowest small pages take while a client walks that accepts the coding. */
async function besideWalk(bench: Bench, service: Target): Promise<Spread[]> {
  const seconds = bench.seconds * TIMES_LONGER;
  const walker = new Worker(new URL('../load/walk-process.ts', import.meta.url));
  const p99 = async () => {
    const paths = drawCursors(bench.keys).map(id => `${LIST_API_KEYS_PATH}?after_id=${id}`);
    return (await bench.client.send(service, paths, seconds, bench.clients)).p99;
  };
  const ratios = CODINGS.map(() => [] as number[]);
  for (let round = 0; round < bench.rounds; round++) {
    const alone = await p99();
    for (const [index, coding] of CODINGS.entries()) {
      const walk: Walk = { ...accepting(service, coding), seconds: seconds * 1.1 };
      const [beside] = await Promise.all([p99(), walker.request<WalkResult>(walk)]);
      ratios[index]?.push(beside / alone);
    }
  }
  walker.end();
  return ratios.map(spread);
}
