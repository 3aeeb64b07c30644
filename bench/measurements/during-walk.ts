import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import type { Walk, WalkResult } from '../load/walk-process.ts';
import { Worker } from '../processes/worker.ts';
import { spreadText, table } from '../results/markdown.ts';
import { atMost, type Section } from '../results/section.ts';
import { spread } from '../results/statistics.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withService } from '../servers/service.ts';
import type { Bench } from './bench.ts';

/** How many times longer than the others this is measured: a p99 needs more answers than a rate. */
const TIMES_LONGER = 3;

/** The latency of small pages while another client walks the roster. */
export function measureDuringWalk(bench: Bench, { file, secret }: SqliteStore): Promise<Section> {
  const seconds = bench.seconds * TIMES_LONGER;
  const walker = new Worker(new URL('../load/walk-process.ts', import.meta.url));
  return withService(`sqlite:${file}`, secret, async service => {
    const { port, headers } = service;
    const p99 = async () => {
      const paths = drawCursors(bench.keys).map(id => `${LIST_API_KEYS_PATH}?after_id=${id}`);
      return (await bench.client.send(service, paths, seconds, bench.clients)).p99;
    };
    const without: number[] = [];
    const during: number[] = [];
    const walked: number[] = [];
    for (let round = -1; round < bench.rounds; round++) {
      const alone = await p99();
      const walk: Walk = { port, headers, seconds: seconds * 1.1 };
      const [alongside, { pages }] = await Promise.all([p99(), walker.request<WalkResult>(walk)]);
      if (round < 0) continue;
      without.push(alone);
      during.push(alongside);
      walked.push(pages / walk.seconds);
    }
    const ratio = spread(during.map((figure, round) => figure / (without[round] ?? 0)));
    return {
      title: 'Small pages during a walk',
      lines: table(
        ['p99 of 20-item pages', 'ms', 'against no walk'],
        [
          ['without a walk', spreadText(spread(without), 2), '1'],
          [
            `while one client walks with limit=1000 (${spread(walked).median.toFixed(0)} pages/s)`,
            spreadText(spread(during), 2),
            spreadText(ratio, 2),
          ],
        ],
      ),
      goals: [atMost('p99 of 20-item pages during a walk, against no walk', 3, ratio.median)],
    };
  }).finally(() => {
    walker.end();
  });
}
