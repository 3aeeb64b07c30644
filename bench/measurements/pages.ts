import { atLeast, type Bench, requests, type Section, type Store } from '../bench.ts';
import { compare, ratioOf } from '../compare.ts';
import { FEW, FOR_LARGE_PAGES } from '../load/load.ts';
import { comparison } from '../markdown.ts';
import { drawCursors } from '../roster/cursors.ts';
import { withLimit } from '../servers/limit.ts';
import { withService } from '../servers/service.ts';

const ABOUT = `The limit is a bare \`node:http\` server that answers the same bytes with the same headers from memory, whatever it is asked
(\`bench/servers/limit-server.ts\`).`;

/** Pages against the limit: what a server could do at most that answers these bytes. */
export function measurePages(bench: Bench, { file, secret }: Store): Promise<Section> {
  return withService(`sqlite:${file}`, secret, async service => {
    const cursors = (more = '') => drawCursors(bench.keys).map(id => `${more}after_id=${id}`);
    const smallPages = (asked: Bench) =>
      withLimit(service, '', limit =>
        compare(asked, [
          requests(asked, 'the limit, 20 items', limit, () => ['']),
          requests(asked, 'the same page again and again', service, () => ['']),
          requests(asked, 'a different cursor each time', service, cursors),
        ]),
      );
    const small = await smallPages(bench);
    const few = await smallPages({ ...bench, clients: FEW });
    const heavy = { ...bench, clients: FOR_LARGE_PAGES };
    const large = await withLimit(service, 'limit=1000', limit =>
      compare(heavy, [
        requests(heavy, 'the limit, 1,000 items', limit, () => ['limit=1000']),
        requests(heavy, 'a different cursor each time', service, () => cursors('limit=1000&')),
      ]),
    );
    return {
      title: 'Pages against the limit',
      about: ABOUT,
      lines: [
        ...comparison('requests/s', 'the limit', small),
        '',
        ...comparison('requests/s', 'the limit', large),
        '',
        `With ${FEW.connections} connections of a client that sleeps, where there are fewer requests to a turn of the event loop, and each answer wakes the client:`,
        '',
        ...comparison('requests/s', 'the limit', few),
      ],
      goals: [
        atLeast('20-item page, the same request again and again, against the limit', 0.75, ratioOf(small, 1)),
        atLeast('20-item page, a different cursor each time, against the limit', 0.45, ratioOf(small, 2)),
        atLeast('1,000-item page, a different cursor each time, against the limit', 0.5, ratioOf(large, 1)),
      ],
    };
  });
}
