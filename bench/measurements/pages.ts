import { LIMIT } from '../../src/roster/list-query.ts';
import { FEW, FOR_LARGE_PAGES, type Target } from '../load/load.ts';
import { type Compared, compare, ratioOf } from '../results/compare.ts';
import { comparison, quantity, spreadText, table } from '../results/markdown.ts';
import { atLeast, type Goal, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withBareServer } from '../servers/bare-server.ts';
import { requestPage } from '../servers/server.ts';
import { withService } from '../servers/service.ts';
import { type SqliteFloor, withSqliteFloor } from '../servers/sqlite-floor.ts';
import { type Bench, requests } from './bench.ts';

const ABOUT = `The bare server is a \`node:http\` server that answers every request with the same bytes and headers from memory
(\`bench/servers/bare-server-process.ts\`). No service with these answers can be faster on Node. "SQLite in C"
(\`bench/peers/c/sqlite-floor.c\`) looks up the cursor, reads the same page from the same file with the same size of cache, and
joins its JSON in memory: no service can read it in less time with SQLite. "Both" adds what a page takes of the two.`;

const NO_FLOOR = 'There is no C compiler on this machine, so nothing was compared with SQLite in C.';

/** Pages against a bare server that sends the same bytes, and against SQLite alone. */
export function measurePages(bench: Bench, { file, secret }: SqliteStore): Promise<Section> {
  return withSqliteFloor(file, floor =>
    withService(`sqlite:${file}`, secret, async service => {
      const small = await compareWithFloors(bench, service, floor, LIMIT.default);
      const large = await compareWithFloors(
        { ...bench, clients: FOR_LARGE_PAGES },
        service,
        floor,
        LIMIT.max,
      );
      const few = await compareWithFloors({ ...bench, clients: FEW }, service, null, LIMIT.default);
      return {
        title: 'Pages against a bare server',
        about: floor ? ABOUT : `${ABOUT}\n${NO_FLOOR}`,
        lines: [
          ...withTimes(small),
          '',
          ...withTimes(large),
          '',
          `With ${FEW.connections} connections of a client that sleeps. There are fewer requests per turn of the event loop, and each answer wakes the\nclient:`,
          '',
          ...comparison('requests/s', 'the bare server', few),
        ],
        goals: [
          atLeast('20 keys again and again, against the bare server', 0.6, ratioOf(small, SAME)),
          ...againstBoth('20 keys', 0.5, small),
          ...againstBoth('1,000 keys', 0.6, large),
        ],
      };
    }),
  );
}

/** The order of the subjects. */
const [BARE, SAME, DIFFERENT, FLOOR] = [0, 1, 2, 3];

async function compareWithFloors(
  bench: Bench,
  service: Target,
  floor: SqliteFloor | null,
  limit: number,
): Promise<Compared[]> {
  const firstPage = limit === LIMIT.default ? '' : `limit=${limit}`;
  const cursors = () => drawCursors(bench.keys);
  const pagesAfter = () => cursors().map(id => `${firstPage && `${firstPage}&`}after_id=${id}`);
  if (floor) await requireSamePage(service, floor, limit, cursors()[0] ?? '');
  const readAlone = async () => floor?.pagesPerSecond(limit, bench.seconds, cursors()) ?? 0;
  return withBareServer(service, firstPage, bareServer =>
    compare(bench, [
      requests(bench, `the bare server, ${quantity(limit)} keys`, bareServer, () => [firstPage]),
      requests(bench, 'the same page again and again', service, () => [firstPage]),
      requests(bench, 'a different cursor each time', service, pagesAfter),
      ...(floor ? [{ label: 'SQLite in C, a different cursor each time', measure: readAlone }] : []),
    ]),
  );
}

async function requireSamePage(
  service: Target,
  floor: SqliteFloor,
  limit: number,
  cursor: string,
): Promise<void> {
  const { body } = await requestPage(service, `limit=${limit}&after_id=${cursor}`);
  if (body.toString() !== (await floor.page(limit, cursor)))
    throw new Error(`SQLite in C read another page after ${cursor} than the service`);
}

/** Without the floor there is no such goal. */
function againstBoth(keys: string, min: number, compared: readonly Compared[]): Goal[] {
  if (compared.length <= FLOOR) return [];
  const label = `${keys}, a different cursor each time, against the bare server and SQLite in C together`;
  return [atLeast(label, min, ratioOf(compared, DIFFERENT, [BARE, FLOOR]))];
}

/** A row for each subject, with the microseconds of one answer. */
function withTimes(compared: readonly Compared[]): string[] {
  const hasFloor = compared.length > FLOOR;
  const rows = compared.map(({ label, median, ratio }, index) => [
    label,
    quantity(median),
    quantity(1e6 / median),
    index === BARE ? '1' : index === FLOOR ? '' : spreadText(ratio, 2),
    hasFloor && index === DIFFERENT ? spreadText(ratioOf(compared, index, [BARE, FLOOR]), 2) : '',
  ]);
  return table(['', 'a second', 'µs', 'against the bare server', 'against both'], rows);
}
