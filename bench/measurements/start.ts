import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import { FOR_LARGE_PAGES } from '../load/load.ts';
import { quantity, spreadText, table } from '../results/markdown.ts';
import { atMost, type Goal, type Section } from '../results/section.ts';
import { spread } from '../results/statistics.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withService } from '../servers/service.ts';
import type { Bench } from './bench.ts';

/** Each takes a second, mostly to bring the store into the operating system's cache. */
const MAX_STARTS = 7;
/** How long memory is measured under each kind of load. */
const LOAD_SECONDS = 3;

/** The time from the start of the process to its first page, and its peak memory under load. */
export async function measureStart(
  bench: Bench,
  { file, secret }: SqliteStore,
  keys: number,
): Promise<Section> {
  const starts: number[] = [];
  const memory: { label: string; megabytes: number }[] = [];
  for (let round = 0; round < Math.min(bench.rounds, MAX_STARTS); round++) {
    await withService(`sqlite:${file}`, secret, async service => {
      starts.push(service.millisecondsToFirstPage);
      if (round > 0) return;
      for (const [limit, clients] of [
        [20, bench.clients],
        [1000, FOR_LARGE_PAGES],
      ] as const) {
        const paths = drawCursors(keys).map(id => `${LIST_API_KEYS_PATH}?limit=${limit}&after_id=${id}`);
        await bench.client.send(service, paths, LOAD_SECONDS, clients);
        const peak = service.peakMemory();
        if (peak !== null)
          memory.push({ label: `${limit.toLocaleString('en')}-item pages`, megabytes: peak / 1e6 });
      }
    });
  }
  const start = spread(starts);
  const size = `${keys.toLocaleString('en')} keys`;
  const goals: Goal[] = [atMost(`start to first answer, ${size}`, 400, start.median, ' ms')];
  for (const { label, megabytes } of memory)
    goals.push(atMost(`peak resident memory under ${label}, ${size}`, 150, megabytes, ' MB'));
  return {
    title: `Start and memory with ${size}`,
    lines: table(
      ['', ''],
      [
        ['start of the process to its first page, ms', spreadText(start, 0)],
        ...memory.map(({ label, megabytes }) => [
          `peak resident memory under ${label}, a different cursor each, MB`,
          quantity(megabytes),
        ]),
      ],
    ),
    goals,
  };
}
