import { join } from 'node:path';
import { compare, type Subject } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
import { ratioOnly, type Section } from '../results/section.ts';
import type { SqliteStore } from '../roster/store.ts';
import { installPeers, withPeer } from '../servers/peer.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';

/** better-auth's list of a user's API keys: the 20 newest. */
const LIST = '/api/auth/api-key/list?limit=20&sortBy=createdAt&sortDirection=desc';

const ABOUT = `Its API-key plugin on SQLite (\`node:sqlite\`), one user with all the keys, \`GET /api-key/list?limit=20\`, newest first. By
default it lists no more than 100 keys, so \`advanced.database.defaultFindManyLimit\` was raised. For each page it reads and
sorts all keys of the user and cuts the page out of them. Its answer has other fields (limits, counters, permissions), a
\`total\`, no creator and no workspace. It requires a session where Keyroster requires an admin key.`;

/** It takes seconds for a page and answers one request at a time, so more of them would only wait. */
const CONNECTIONS = 1;

/** better-auth against Keyroster, each with this many keys. */
export function measureBetterAuth(
  bench: Bench,
  { file, secret }: SqliteStore,
  keys: number,
): Promise<Section> {
  installPeers();
  const { client, clients, folder, seconds } = bench;
  const forPeer = { ...clients, connections: CONNECTIONS };
  return withPeer(['better-auth.js', join(folder, 'better-auth.db'), String(keys)], (port, cookie) =>
    withService(`sqlite:${file}`, secret, async service => {
      const peer: Subject = {
        label: 'better-auth, first page',
        measure: async () =>
          (await client.send({ port, headers: { cookie } }, [LIST], seconds, forPeer)).perSecond,
      };
      const keyroster = requests(bench, 'Keyroster, first page', service, () => ['']);
      const compared = await compare(bench, [peer, keyroster]);
      const size = `${keys.toLocaleString('en')} keys`;
      return {
        title: `better-auth, ${size}`,
        about: ABOUT,
        lines: comparison('requests/s', 'the peer', compared),
        goals: [ratioOnly(`against better-auth, ${size}`, compared)],
      };
    }),
  );
}
