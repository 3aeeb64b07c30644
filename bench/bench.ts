import { LIST_API_KEYS_PATH } from '../src/server/paths.ts';
import type { Subject } from './compare.ts';
import type { Clients, LoadClient, Target } from './load/load.ts';

/** What every measurement gets. */
export interface Bench {
  /** In the one organization of the store. */
  readonly keys: number;
  readonly rounds: number;
  /** How long one subject is measured in one round. */
  readonly seconds: number;
  /** A process is slow until its code is compiled: for so many seconds it is measured before the first round. */
  readonly warmUp: number;
  /** A temporary folder. */
  readonly folder: string;
  readonly client: LoadClient;
  readonly clients: Clients;
}

/** A filled embedded store. */
export interface Store {
  readonly file: string;
  /** An admin key of its organization. */
  readonly secret: string;
}

/** One measurement as it stands in docs/benchmarks.md. */
export interface Section {
  readonly title: string;
  /** What is measured, and how, where the method of all doesn't say it. */
  readonly about?: string;
  readonly lines: readonly string[];
  readonly goals?: readonly Goal[];
}

export interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  /** `null`: there is only a figure to report. */
  readonly reached: boolean | null;
}

/** Requests a second for these query strings, made anew for each round. */
export function requests(
  { client, clients, seconds }: Bench,
  what: string,
  target: Target,
  queries: () => readonly string[],
): Subject {
  const paths = () => queries().map(query => `${LIST_API_KEYS_PATH}${query && `?${query}`}`);
  return { what, measure: async () => (await client.send(target, paths(), seconds, clients)).perSecond };
}

export function atLeast(what: string, least: number, ratio: { readonly median: number }): Goal {
  const measured = ratio.median.toFixed(2);
  return { what, goal: `at least ${least.toFixed(2)}`, measured, reached: ratio.median >= least };
}

export function atMost(what: string, most: number, figure: number, unit = ''): Goal {
  const text = (number: number) => `${Number(number.toFixed(1))}${unit}`;
  return { what, goal: `at most ${text(most)}`, measured: text(figure), reached: figure <= most };
}
