/** Clients that list through one process after another, and compare each page with what was written. */
import { setTimeout } from 'node:timers/promises';
import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import type { FedKeys } from './fed-keys.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { isOverloaded, retryOverloaded } from './retry-overloaded.ts';
import type { Tenant } from './service-process.ts';
import { until } from './until.ts';

const CLIENTS = 8;
const PAGE = 20;
const READY_EVERY_MS = 100;

interface Page {
  readonly data: readonly { readonly id: string; readonly created_at: string }[];
  readonly has_more: boolean;
}

/** What the clients list: an organization that is written meanwhile, and one that nobody writes. */
export interface Listed {
  readonly walked: { readonly tenant: Tenant; readonly ids: readonly string[]; readonly fed: FedKeys };
  /** Its keys are `k0`, `k1`, …, newest first. */
  readonly large: { readonly tenant: Tenant; readonly count: number };
}

class Process {
  readonly #client: KeepAliveClient;
  #underWay = 0;

  constructor(port: number) {
    this.#client = new KeepAliveClient(port, CLIENTS + 1);
  }

  async get(path: string, headers: Record<string, string> = {}) {
    this.#underWay += 1;
    return this.#client.get(path, headers).finally(() => {
      this.#underWay -= 1;
    });
  }

  async leave(): Promise<void> {
    await until('what is under way is answered', () => this.#underWay === 0);
    this.#client.close();
  }
}

export class ExactLists {
  /** Pages that came. */
  answered = 0;
  /** Complete walks. */
  walks = 0;
  /** From a request to its answer. */
  longestMs = 0;
  /** Requests that the service refused for overload, and that were sent again: a busy machine starves it of CPU time. */
  shed = 0;
  /** What else wasn't answered by 200, or wasn't exact. */
  readonly failures: string[] = [];
  readonly #listed: Listed;
  readonly #processes = new Map<number, Process>();
  #ended = false;

  constructor(listed: Listed) {
    this.#listed = listed;
  }

  /** Sends requests to the process of this port, too. */
  add(port: number): void {
    this.#processes.set(port, new Process(port));
  }

  /** Sends it none any more, as a load balancer does before the process is stopped. */
  async remove(port: number): Promise<void> {
    const process = this.#processes.get(port);
    this.#processes.delete(port);
    await process?.leave();
  }

  /** Resolves after `end`. */
  async run(): Promise<void> {
    await Promise.all([this.#watchReadiness(), ...Array.from({ length: CLIENTS }, () => this.#list())]);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#processes.keys()].map(port => this.remove(port)));
  }

  /** Waits until so many pages have come. */
  async until(answered: number): Promise<void> {
    while (this.answered < answered && this.failures.length === 0) await setTimeout(5);
  }

  async #list(): Promise<void> {
    while (!this.#ended)
      await this.#walk().catch(error => {
        if (!this.#ended) this.failures.push(String(error));
      });
  }

  async #watchReadiness(): Promise<void> {
    for (; !this.#ended; await setTimeout(READY_EVERY_MS))
      for (const [port, process] of this.#processes) {
        const { status, body } = await this.#get(() => process.get('/readyz'));
        if (status !== 200) this.failures.push(`/readyz of ${port}: ${status} ${body}`);
      }
  }

  async #walk(): Promise<void> {
    const { tenant, ids, fed } = this.#listed.walked;
    const acknowledged = fed.acknowledged();
    const found: Page['data'][number][] = [];
    for (let more = true; more && !this.#ended; ) {
      const last = found.at(-1);
      const page = await this.#page(tenant, last ? `&after_id=${last.id}` : '');
      found.push(...page.data);
      more = page.has_more;
      if (more && page.data.length !== PAGE) this.failures.push('a page before the last is short');
      await this.#pageOfLarge();
    }
    if (this.#ended) return;
    this.walks += 1;
    const foundIds = new Set(found.map(({ id }) => id));
    if (foundIds.size !== found.length) this.failures.push('a walk repeats a key');
    for (const id of [...ids, ...acknowledged])
      if (!foundIds.has(id)) this.failures.push(`a walk lacks ${id}`);
    for (const id of foundIds)
      if (!ids.includes(id) && !fed.sent.has(id)) this.failures.push(`${id} was never written`);
    const inOrder = found.every(
      (each, index) => index === 0 || precedes(found[index - 1] as typeof each, each),
    );
    if (!inOrder) this.failures.push('a walk is out of order');
  }

  async #pageOfLarge(): Promise<void> {
    const { tenant, count } = this.#listed.large;
    const cursor = Math.floor(Math.random() * count);
    const page = await this.#page(tenant, `&after_id=k${cursor}`);
    const expected = Array.from(
      { length: Math.min(PAGE, count - 1 - cursor) },
      (_, index) => `k${cursor + 1 + index}`,
    );
    if (
      page.data.map(({ id }) => id).join() !== expected.join() ||
      page.has_more !== cursor + PAGE < count - 1
    )
      this.failures.push(`the page after k${cursor} is wrong`);
  }

  async #page({ secret }: Tenant, query: string): Promise<Page> {
    const headers = { 'x-api-key': secret, 'vendor-version': '2023-06-01' };
    const since = performance.now();
    const path = `${LIST_API_KEYS_PATH}?limit=${PAGE}${query}`;
    const { status, body } = await this.#get(() => this.#any().get(path, headers));
    if (status !== 200) throw new Error(`${status} ${body}`);
    this.longestMs = Math.max(this.longestMs, performance.now() - since);
    this.answered += 1;
    return JSON.parse(body);
  }

  #get(send: () => ReturnType<Process['get']>): ReturnType<Process['get']> {
    return retryOverloaded(async () => {
      const answer = await send();
      if (isOverloaded(answer)) this.shed += 1;
      return answer;
    });
  }

  #any(): Process {
    const processes = [...this.#processes.values()];
    return processes[Math.floor(Math.random() * processes.length)] as Process;
  }
}

function precedes(one: Page['data'][number], other: Page['data'][number]): boolean {
  return one.created_at > other.created_at || (one.created_at === other.created_at && one.id > other.id);
}
