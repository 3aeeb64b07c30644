import { FEW, FOR_LARGE_PAGES } from '../load/load.ts';
import { compare, ratioOf } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
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
    const cursors = (parameters = '') => drawCursors(bench.keys).map(id => `${parameters}after_id=${id}`);
    const smallPages = (bench: Bench) =>
      withBareServer(service, '', bareServer =>
        compare(bench, [
          requests(bench, 'the bare server, 20 items', bareServer, () => ['']),
          requests(bench, 'the same page again and again', service, () => ['']),
          requests(bench, 'a different cursor each time', service, cursors),
        ]),
      );
    const small = await smallPages(bench);
    const few = await smallPages({ ...bench, clients: FEW });
    const forLargePages = { ...bench, clients: FOR_LARGE_PAGES };
    const large = await withBareServer(service, 'limit=1000', bareServer =>
      compare(forLargePages, [
        requests(forLargePages, 'the bare server, 1,000 items', bareServer, () => ['limit=1000']),
        requests(forLargePages, 'a different cursor each time', service, () => cursors('limit=1000&')),
      ]),
    );
    return {
      title: 'Pages against a bare server',
      about: ABOUT,
      lines: [
        ...comparison('requests/s', 'the bare server', small),
        '',
        ...comparison('requests/s', 'the bare server', large),
        '',
        `With ${FEW.connections} connections of a client that sleeps. There are fewer requests per turn of the event loop, and each answer wakes the client:`,
        '',
        ...comparison('requests/s', 'the bare server', few),
      ],
      goals: [
        atLeast(
          '20-item page, the same request again and again, against the bare server',
          0.75,
          ratioOf(small, 1),
        ),
        atLeast(
          '20-item page, a different cursor each time, against the bare server',
          0.45,
          ratioOf(small, 2),
        ),
        atLeast(
          '1,000-item page, a different cursor each time, against the bare server',
          0.5,
          ratioOf(large, 1),
        ),
      ],
    };
  });
}
