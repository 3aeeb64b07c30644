import { availableParallelism } from 'node:os';
import { type Clients, FOR_LARGE_PAGES, LoadClient, MANY } from '../load/load.ts';
import { keepToCore } from '../processes/keep-to-core.ts';
import { type Compared, compare, ratioOf } from '../results/compare.ts';
import { quantity, spreadText, table } from '../results/markdown.ts';
import { atLeast, type Goal, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import { apiKeyId, creatorId, workspaceId } from '../roster/make-api-keys.ts';
import type { SqliteStore } from '../roster/store.ts';
import { buildCompiledPeers, type CompiledPeer, requireSameAnswers } from '../servers/compiled-peer.ts';
import type { Server } from '../servers/server.ts';
import { withService } from '../servers/service.ts';
import { type Bench, requests } from './bench.ts';

const ABOUT = `The list endpoint with \`net/http\` and \`mattn/go-sqlite3\` (\`bench/peers/go\`), and with \`axum\` and \`rusqlite\`
(\`bench/peers/rust\`). Both read Keyroster's own file, in which the records are JSON already, with the same statements and
the same size of cache for each connection. They check the admin key and the parameters, answer with the same bytes and
headers, and write the same log line. They have no compression, cache of pages, rate limits, protection from overload or check
that the file is still the same.`;

const NOTHING_BUILT = 'Neither Go nor Rust is installed on this machine, so nothing was compared with them.';

/** Keyroster against each of them, at least: 20 keys again and again, with a different cursor each time, 1,000 keys. */
const GOALS = { Go: [2, 1.2, 1.5], Rust: [0.7, 0.55, 0.65] } as const;

/** The endpoint in other languages, on one core each. */
export async function measureCompiled(bench: Bench, store: SqliteStore): Promise<Section> {
  const peers = buildCompiledPeers();
  const title = 'The same endpoint in Go and in Rust';
  if (peers.length === 0) return { title, lines: [NOTHING_BUILT] };
  const loads = await compareOnOneCore(bench, store, peers);
  return {
    title,
    about: `${ABOUT}\nCompiled with: ${peers.map(({ compiler }) => compiler).join('; ')}.`,
    lines: ['Each server is kept to one core, and the client to another:', '', ...tableOf(peers, loads)],
    goals: loads.flatMap((load, index) => goalsOf(peers, load, index)),
  };
}

interface ComparedLoad {
  readonly label: string;
  /** Keyroster, then the peers. */
  readonly compared: readonly Compared[];
}

async function compareOnOneCore(
  bench: Bench,
  store: SqliteStore,
  peers: readonly CompiledPeer[],
): Promise<ComparedLoad[]> {
  const client = new LoadClient();
  keepToCore(client.pid, 0);
  try {
    return await withServers(store, peers, async servers => {
      for (const { pid } of servers) keepToCore(pid, availableParallelism() - 1);
      return compareLoads({ ...bench, client }, peers, servers);
    });
  } finally {
    client.close();
  }
}

/** Keyroster and the peers, for as long as the work takes. */
function withServers<T>(
  store: SqliteStore,
  peers: readonly CompiledPeer[],
  work: (servers: readonly Server[]) => Promise<T>,
): Promise<T> {
  const withPeers = ([peer, ...others]: readonly CompiledPeer[], running: readonly Server[]): Promise<T> =>
    peer ? peer.run(store, server => withPeers(others, [...running, server])) : work(running);
  return withService(`sqlite:${store.file}`, store.secret, service => withPeers(peers, [service]));
}

async function compareLoads(
  bench: Bench,
  peers: readonly CompiledPeer[],
  [service, ...others]: readonly Server[],
): Promise<ComparedLoad[]> {
  if (!service) throw new Error('Keyroster is the first server');
  for (const peer of others) await requireSameAnswers(service, peer, queriesOf(bench.keys));
  const compareAll = async (label: string, clients: Clients, queries: () => readonly string[]) => {
    const load = { ...bench, clients };
    const subjects = [service, ...others].map((server, index) =>
      requests(load, peers[index - 1]?.name ?? 'Keyroster', server, queries),
    );
    return { label, compared: await compare(load, subjects) };
  };
  const cursors = (parameters = '') => drawCursors(bench.keys).map(id => `${parameters}after_id=${id}`);
  return [
    await compareAll('20 keys again and again', MANY, () => ['']),
    await compareAll('20 keys, a different cursor each time', MANY, () => cursors()),
    await compareAll('1,000 keys, a different cursor each time', FOR_LARGE_PAGES, () =>
      cursors('limit=1000&'),
    ),
  ];
}

/** Each combination of a direction and the filters, the ends of the roster, and refusals. */
function queriesOf(keys: number): string[] {
  const middle = apiKeyId(Math.floor(keys / 2));
  const positions = ['', 'limit=1000', `after_id=${middle}`, `before_id=${middle}`];
  const status = ['', 'status=active', 'status=archived'];
  const workspace = ['', `workspace_id=${workspaceId(3)}`, 'workspace_id=unknown'];
  const creator = ['', `created_by_user_id=${creatorId(7)}`];
  const lists = positions.flatMap(a =>
    status.flatMap(b => workspace.flatMap(c => creator.map(d => [a, b, c, d]))),
  );
  return [
    ...lists.map(parts => parts.filter(part => part !== '').join('&')),
    `after_id=${apiKeyId(0)}`,
    `after_id=${apiKeyId(19)}`,
    `before_id=${apiKeyId(keys - 1)}`,
    'after_id=unknown',
    `after_id=${middle}&before_id=${middle}`,
    'limit=0',
    'limit=020',
    'status=',
    'status=Active',
  ];
}

function tableOf(peers: readonly CompiledPeer[], loads: readonly ComparedLoad[]): string[] {
  const heading = [
    'requests/s',
    'Keyroster',
    ...peers.flatMap(({ name }) => [name, `Keyroster against ${name}`]),
  ];
  const rows = loads.map(({ label, compared }) => [
    label,
    quantity(compared[0]?.median ?? 0),
    ...peers.flatMap((_, index) => [
      quantity(compared[index + 1]?.median ?? 0),
      spreadText(ratioOf(compared, 0, index + 1), 2),
    ]),
  ]);
  return table(heading, rows);
}

function goalsOf(peers: readonly CompiledPeer[], { label, compared }: ComparedLoad, load: number): Goal[] {
  return peers.map(({ name }, index) =>
    atLeast(`${label}, against ${name}`, GOALS[name][load] ?? 1, ratioOf(compared, 0, index + 1)),
  );
}
