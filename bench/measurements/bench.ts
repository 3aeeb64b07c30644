import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import type { Clients, LoadClient, Target } from '../load/load.ts';
import type { Rounds, Subject } from '../results/compare.ts';

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
  const paths = () => queries().map(query => `${LIST_API_KEYS_PATH}${query && `?${query}`}`);
  return { label, measure: async () => (await client.send(target, paths(), seconds, clients)).perSecond };
}
