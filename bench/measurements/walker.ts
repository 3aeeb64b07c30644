import { LIST_API_KEYS_PATH } from '../../src/server/paths.ts';
import { atMost, type Bench, type Section, type Store } from '../bench.ts';
import type { Walk, Walked } from '../load/walker.ts';
import { Worker } from '../load/worker.ts';
import { spreadText, table } from '../markdown.ts';
import { drawCursors } from '../roster/cursors.ts';
import { withService } from '../servers/service.ts';
import { spread } from '../statistics.ts';

/** Of this many measurements' length: a p99 needs more answers than a rate does. */
const LONGER = 3;

/** What one client that walks the roster does to the others. */
export function measureWalker(bench: Bench, { file, secret }: Store): Promise<Section> {
  const seconds = bench.seconds * LONGER;
  const walker = new Worker(new URL('../load/walker.ts', import.meta.url));
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
      const [beside, { pages }] = await Promise.all([p99(), walker.ask<Walked>(walk)]);
      if (round < 0) continue;
      without.push(alone);
      during.push(beside);
      walked.push(pages / walk.seconds);
    }
    const ratio = spread(during.map((figure, round) => figure / (without[round] ?? 0)));
    return {
      title: 'Small pages beside a walk',
      lines: table(
        ['p99 of 20-item pages', 'ms', 'against without'],
        [
          ['without a walk', spreadText(spread(without), 2), '1'],
          [
            `while one client walks with limit=1000 (${spread(walked).median.toFixed(0)} pages/s)`,
            spreadText(spread(during), 2),
            spreadText(ratio, 2),
          ],
        ],
      ),
      goals: [atMost('p99 of 20-item pages beside a walk, against without', 3, ratio.median)],
    };
  }).finally(() => {
    walker.end();
  });
}
