import { LIST_API_KEYS_PATH } from '../../src/server/paths.ts';
import { atMost, type Bench, type Goal, type Section, type Store } from '../bench.ts';
import { quantity, spreadText, table } from '../markdown.ts';
import { drawCursors } from '../roster/cursors.ts';
import { withService } from '../servers/service.ts';
import { spread } from '../statistics.ts';

/** How long each kind of load lasts that memory is looked at under. */
const LOAD_SECONDS = 3;

/** From the start of the process to its first page, and the memory it takes under load. */
export async function measureStart(bench: Bench, { file, secret }: Store, keys: number): Promise<Section> {
  const starts: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    await withService(`sqlite:${file}`, secret, async service => {
      starts.push(service.millisecondsToFirstPage);
      if (round > 0) return;
      for (const limit of [20, 1000]) {
        const paths = drawCursors(keys).map(id => `${LIST_API_KEYS_PATH}?limit=${limit}&after_id=${id}`);
        await bench.client.send(service, paths, LOAD_SECONDS);
      }
      const peak = service.peakMemory();
      if (peak !== null) memory.push(peak / 1e6);
    });
  }
  const start = spread(starts);
  const of = `${keys.toLocaleString('en')} keys`;
  const goals: Goal[] = [atMost(`start to first answer, ${of}`, 400, start.median, ' ms')];
  for (const megabytes of memory)
    goals.push(atMost(`resident memory under load, ${of}`, 150, megabytes, ' MB'));
  return {
    title: `Start and memory with ${of}`,
    lines: table(
      ['', ''],
      [
        ['start of the process to its first page, ms', spreadText(start, 0)],
        [
          'most resident memory, under 20-item and 1,000-item pages with a different cursor each, MB',
          memory.map(quantity).join() || 'not known here: there is no /proc',
        ],
      ],
    ),
    goals,
  };
}
