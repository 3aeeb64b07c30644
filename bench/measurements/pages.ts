import { LIMIT } from '../../src/shared/record/list-query.ts';
import { FOR_LARGE_PAGES, MANY, type Target } from '../load/load.ts';
import { type Compared, compare, ratioOf } from '../results/compare.ts';
import { quantity, spreadText, table } from '../results/markdown.ts';
import { atLeast, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withBareServer } from '../servers/bare-server.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';

const ABOUT = `The bare server is a \`node:http\` server that answers every request with the same bytes and headers from memory
(\`bench/servers/bare-server-process.ts\`). No service with these answers can be faster on Node.`;

/** Pages against a bare server that sends the same bytes. */
export function measurePages(bench: Bench, { file, secret }: SqliteStore): Promise<Section> {
  return withService(`sqlite:${file}`, secret, async service => {
    const small = await compareWithBareServer(bench, service, LIMIT.default);
    const large = await compareWithBareServer({ ...bench, clients: FOR_LARGE_PAGES }, service, LIMIT.max);
    const largeOf = (connections: number) => {
      const load = { ...bench, clients: { ...FOR_LARGE_PAGES, connections } };
      return requests(load, `${connections} clients`, service, () => cursors(bench.keys, 'limit=1000&'));
    };
    const clients = await compare(bench, [largeOf(FOR_LARGE_PAGES.connections), largeOf(MANY.connections)]);
    return {
      title: 'Pages against a bare server',
      about: ABOUT,
      lines: [...withTimes(small), '', ...withTimes(large)],
      goals: [
        atLeast('20 keys again and again, against the bare server', 0.55, ratioOf(small, SAME)),
        atLeast('1,000 keys: 64 clients against 8', 0.85, ratioOf(clients, 1)),
      ],
    };
  });
}

/** The order of the subjects. */
const [BARE, SAME] = [0, 1];

async function compareWithBareServer(bench: Bench, service: Target, limit: number): Promise<Compared[]> {
  const firstPage = limit === LIMIT.default ? '' : `limit=${limit}`;
  const pagesAfter = () => cursors(bench.keys, firstPage && `${firstPage}&`);
  return withBareServer(service, firstPage, bareServer =>
    compare(bench, [
      requests(bench, `the bare server, ${quantity(limit)} keys`, bareServer, () => [firstPage]),
      requests(bench, 'the same page again and again', service, () => [firstPage]),
      requests(bench, 'a different cursor each time', service, pagesAfter),
    ]),
  );
}

const cursors = (keys: number, parameters: string) =>
  drawCursors(keys).map(id => `${parameters}after_id=${id}`);

/** A row for each subject, with the microseconds of one answer. */
function withTimes(compared: readonly Compared[]): string[] {
  const rows = compared.map(({ label, median, ratio }, index) => [
    label,
    quantity(median),
    quantity(1e6 / median),
    index === BARE ? '1' : spreadText(ratio, 2),
  ]);
  return table(['', 'a second', 'µs', 'against the bare server'], rows);
}
