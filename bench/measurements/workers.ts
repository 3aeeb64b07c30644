import { compare, ratioOf } from '../results/compare.ts';
import { atLeast, type Goal, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import type { Server } from '../servers/server.ts';
import { withService } from '../servers/service.ts';
import { type Bench, perCpuSecond } from './bench.ts';

/** The client doesn't poll: it and two workers have two cores. */
const CLIENTS = { connections: 64, busyPoll: false };

/** What two workers do with the same CPU time as one process. Only their own time counts, so the client may share their cores. */
export async function measureWorkers(bench: Bench, { file, secret }: SqliteStore): Promise<Section> {
  const database = `sqlite:${file}`;
  const pages: Readonly<Record<string, () => readonly string[]>> = {
    'the same page again and again': () => [''],
    'any cursor': () => drawCursors(bench.keys).map(id => `after_id=${id}`),
    '1,000 keys, any cursor': () => drawCursors(bench.keys).map(id => `limit=1000&after_id=${id}`),
  };
  const goals: Goal[] = [];
  await withService(database, secret, one =>
    withService(database, secret, two => measure(one, two), ['--workers', '2']),
  );
  return {
    title: 'Workers',
    about:
      'Pages for each second of CPU time that all processes of two workers take, the supervisor too, against those of one process.',
    goals,
  };

  async function measure(one: Server, two: Server): Promise<void> {
    for (const [what, queries] of Object.entries(pages)) {
      const withClients = { ...bench, clients: CLIENTS };
      const compared = await compare(bench, [
        perCpuSecond(withClients, `${what}: one process`, one, queries),
        perCpuSecond(withClients, `${what}: \`--workers 2\``, two, queries),
      ]);
      goals.push(atLeast(`2 workers, ${what}`, 0.9, ratioOf(compared, 1)));
    }
  }
}
