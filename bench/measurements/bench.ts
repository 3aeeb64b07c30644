import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import type { Clients, LoadClient, Target } from '../load/load.ts';
import type { Rounds, Subject } from '../results/compare.ts';
import type { Server } from '../servers/server.ts';

/** What every measurement gets. */
export interface Bench extends Rounds {
  /** In the store's one organization. */
  readonly keys: number;
  /** How long each subject is measured in each round. */
  readonly seconds: number;
  /** A temporary folder. */
  readonly folder: string;
  readonly client: LoadClient;
  readonly clients: Clients;
}

/** Measures requests per second. `queries` is called before each round and gives the query strings to send. */
export function requests(
  { client, clients, seconds }: Bench,
  label: string,
  target: Target,
  queries: () => readonly string[],
): Subject {
  return {
    label,
    measure: async () => (await client.send(target, pathsOf(queries()), seconds, clients)).perSecond,
  };
}

/** Opening the connections takes time that clients with open ones don't need. */
const TIMES_LONGER = 4;

/** Measures requests for each second of CPU time that the server takes: its clients and its database may share its cores. */
export function perCpuSecond(
  { client, clients, seconds }: Bench,
  label: string,
  server: Target & Pick<Server, 'cpuSeconds'>,
  queries: () => readonly string[],
): Subject {
  return {
    label,
    measure: async () => {
      const paths = pathsOf(queries());
      const before = server.cpuSeconds();
      const start = performance.now();
      const { perSecond } = await client.send(server, paths, seconds * TIMES_LONGER, clients);
      const elapsed = (performance.now() - start) / 1000;
      return (perSecond * elapsed) / (server.cpuSeconds() - before);
    },
  };
}

function pathsOf(queries: readonly string[]): string[] {
  return queries.map(query => `${LIST_API_KEYS_PATH}${query && `?${query}`}`);
}
