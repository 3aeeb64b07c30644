import { freePort } from '../../test/support/free-port.ts';
import type { Target } from '../load/load.ts';
import type { SqliteStore } from '../roster/store.ts';
import { buildGoPeer, buildRustPeer, versionOf } from './compiled.ts';
import { type Answer, requestPage, type Server, withServer } from './server.ts';

/** A server in another language with the same endpoint over the same file. */
export interface CompiledPeer {
  readonly name: 'Go' | 'Rust';
  /** The compiler and its version. */
  readonly compiler: string;
  /** Runs it with one thread, for as long as the work takes. */
  run<T>(store: SqliteStore, work: (server: Server) => Promise<T>): Promise<T>;
}

/** Those whose compilers are installed. */
export function buildCompiledPeers(): CompiledPeer[] {
  const go = buildGoPeer();
  const rust = buildRustPeer();
  const peers: CompiledPeer[] = [];
  if (go !== null)
    peers.push({
      name: 'Go',
      compiler: versionOf('go', 'version'),
      async run({ file, secret }, work) {
        const port = await freePort();
        const env = { GOMAXPROCS: '1' };
        return withServer([go, file, String(port)], { port, secret, env }, work);
      },
    });
  if (rust !== null)
    peers.push({
      name: 'Rust',
      compiler: versionOf('cargo', '--version'),
      async run({ file, secret }, work) {
        const port = await freePort();
        return withServer([rust, file, String(port)], { port, secret, env: {} }, work);
      },
    });
  return peers;
}

/** Headers of the connection, one that is different in each answer, and one that only who compresses has. */
const NOT_COMPARED = ['connection', 'keep-alive', 'date', 'request-id', 'vary'];

/** Throws unless the peer answers each of these queries as the service does: the status, the headers and each byte of the body. */
export async function requireSameAnswers(
  service: Target,
  peer: Target,
  queries: readonly string[],
): Promise<void> {
  for (const query of queries) {
    const expected = comparable(await requestPage(service, query));
    const actual = comparable(await requestPage(peer, query));
    if (expected !== actual) throw new Error(`?${query} has another answer:\n${expected}\n\n${actual}`);
  }
}

function comparable({ status, headers, body }: Answer): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !NOT_COMPARED.includes(name))
    .map(header => header.join(': '));
  return [status, ...lines.sort(), body.toString().replace(/"req_[^"]*"/, '"req_"')].join('\n');
}
