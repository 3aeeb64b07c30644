import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import { FOR_LARGE_PAGES } from '../load/load.ts';
import { atMost, type Goal, type Section } from '../results/section.ts';
import { spread } from '../results/statistics.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import type { Memory, Server } from '../servers/server.ts';
import { withService } from '../servers/service.ts';
import type { Bench } from './bench.ts';

/** Each takes a second, mostly to bring the store into the operating system's cache. */
const MAX_STARTS = 7;
/** How long memory is measured under each kind of load. */
const LOAD_SECONDS = 3;
/** Linux keeps the peak of resident memory, but not of anonymous memory. */
const SAMPLE_MS = 20;

const ABOUT = `Resident memory is its peak (\`VmHWM\`) from the start on. Anonymous memory is what the process has alone (\`RssAnon\`: not the
program and other files), its maximum under this load, looked at every ${SAMPLE_MS} ms.`;

/** The time from the start of the process to its first page, and its memory under load. */
export async function measureMemory(bench: Bench, { file, secret }: SqliteStore): Promise<Section> {
  const { keys } = bench;
  const starts: number[] = [];
  let small: Memory | null = null;
  let large: Memory | null = null;
  for (let round = 0; round < Math.min(bench.rounds, MAX_STARTS); round++) {
    await withService(`sqlite:${file}`, secret, async service => {
      starts.push(service.millisecondsToFirstPage);
      if (round > 0) return;
      small = await memoryUnderLoad(bench, service, keys, 20);
      large = await memoryUnderLoad({ ...bench, clients: FOR_LARGE_PAGES }, service, keys, 1000);
    });
  }
  const start = spread(starts);
  const size = `${keys.toLocaleString('en')} keys`;
  return {
    title: `Start and memory with ${size}`,
    about: ABOUT,
    goals: [
      atMost('start to the first answer', 400, start.median, ' ms'),
      ...memoryGoal('peak resident memory, pages of 20', 150, small, 'peak'),
      ...memoryGoal('anonymous memory, pages of 1,000', 120, large, 'anonymous'),
    ],
  };
}

/** `null` where the machine has no /proc. */
async function memoryUnderLoad(
  { client, clients }: Bench,
  service: Server,
  keys: number,
  limit: number,
): Promise<Memory | null> {
  const paths = drawCursors(keys).map(id => `${LIST_API_KEYS_PATH}?limit=${limit}&after_id=${id}`);
  let anonymous = 0;
  const sample = () => {
    anonymous = Math.max(anonymous, service.memory()?.anonymous ?? 0);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  await client.send(service, paths, LOAD_SECONDS, clients);
  clearInterval(timer);
  const memory = service.memory();
  return memory && { ...memory, anonymous };
}

function memoryGoal(label: string, max: number, memory: Memory | null, kind: keyof Memory): Goal[] {
  return memory === null ? [] : [atMost(label, max, memory[kind] / 1e6, ' MB')];
}
