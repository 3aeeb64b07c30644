import { LIST_API_KEYS_PATH } from '../../src/server/paths.ts';
import { atMost, type Bench, type Goal, type Section, type Store } from '../bench.ts';
import { FOR_LARGE_PAGES } from '../load/load.ts';
import { quantity, spreadText, table } from '../markdown.ts';
import { drawCursors } from '../roster/cursors.ts';
import { withService } from '../servers/service.ts';
import { spread } from '../statistics.ts';

/** Each takes a second, most of it to read the store. */
const STARTS = 7;
/** How long each kind of load lasts that memory is looked at under. */
const LOAD_SECONDS = 3;

/** From the start of the process to its first page, and the memory it takes under load. */
export async function measureStart(bench: Bench, { file, secret }: Store, keys: number): Promise<Section> {
  const starts: number[] = [];
  const memory: { what: string; megabytes: number }[] = [];
  for (let round = 0; round < Math.min(bench.rounds, STARTS); round++) {
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
          memory.push({ what: `${limit.toLocaleString('en')}-item pages`, megabytes: peak / 1e6 });
      }
    });
  }
  const start = spread(starts);
  const of = `${keys.toLocaleString('en')} keys`;
  const goals: Goal[] = [atMost(`start to first answer, ${of}`, 400, start.median, ' ms')];
  for (const { what, megabytes } of memory)
    goals.push(atMost(`resident memory under ${what}, ${of}`, 150, megabytes, ' MB'));
  return {
    title: `Start and memory with ${of}`,
    lines: table(
      ['', ''],
      [
        ['start of the process to its first page, ms', spreadText(start, 0)],
        ...memory.map(({ what, megabytes }) => [
          `most resident memory, under ${what} with a different cursor each, MB`,
          quantity(megabytes),
        ]),
      ],
    ),
    goals,
  };
}
