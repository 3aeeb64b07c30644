import { join } from 'node:path';
import { type Bench, requests, type Section, type Store } from '../bench.ts';
import { compare, type Subject } from '../compare.ts';
import { comparison } from '../markdown.ts';
import { installPeers, withPeer } from '../servers/peer.ts';
import { withService } from '../servers/service.ts';
import { asItIs } from './express.ts';

/** better-auth's own list of a user's API keys: newest first, 20 of them. */
const LIST = '/api/auth/api-key/list?limit=20&sortBy=createdAt&sortDirection=desc';

const ABOUT = `Its API-key plugin on SQLite (\`node:sqlite\`), one user with all the keys, \`GET /api-key/list?limit=20\`, newest first. It
lists no more than 100 keys by default: \`advanced.database.defaultFindManyLimit\` was raised. It reads and sorts all keys of
the user for each page and cuts the page out of them. It answers other fields (limits, counters, permissions), a \`total\`, no
creator and no workspace, and asks for a session where Keyroster asks for an admin key.`;

/** The same number of keys in both. */
export function measureBetterAuth(bench: Bench, { file, secret }: Store, keys: number): Promise<Section> {
  installPeers();
  const { client, clients, folder, seconds } = bench;
  return withPeer(['better-auth.js', join(folder, 'better-auth.db'), String(keys)], (port, cookie) =>
    withService(`sqlite:${file}`, secret, async service => {
      const peer: Subject = {
        what: 'better-auth, first page',
        measure: async () =>
          (await client.send({ port, headers: { cookie } }, [LIST], seconds, clients)).perSecond,
      };
      const keyroster = requests(bench, 'Keyroster, first page', service, () => ['']);
      const compared = await compare(bench, [peer, keyroster]);
      const of = `${keys.toLocaleString('en')} keys`;
      return {
        title: `better-auth, ${of}`,
        about: ABOUT,
        lines: comparison('requests/s', 'the peer', compared),
        goals: [asItIs(`against better-auth, ${of}`, compared)],
      };
    }),
  );
}
