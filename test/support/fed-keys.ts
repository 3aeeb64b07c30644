/** New keys of an organization, by `keyroster feed`, one after another, until it is told to stop. */
import { setTimeout } from 'node:timers/promises';
import { startFeed } from './feed-process.ts';
import { record } from './import-file.ts';
import type { Scope } from './scope.ts';

const EVERY_MS = 50;

export class FedKeys {
  readonly sent = new Set<string>();
  /** From a line that was sent to its answer, which comes after the commit. */
  longestMs = 0;
  readonly #organization: string;
  readonly #feeds: { readonly ids: string[]; readonly acknowledged: () => number }[] = [];
  #created = Date.parse('2025-01-01T00:00:00Z');

  constructor(organization: string) {
    this.#organization = organization;
  }

  /** Starts a process that writes. Returns what ends it, once all that was sent is acknowledged. */
  start(scope: Scope, url: string, env: Readonly<Record<string, string>> = {}): () => Promise<void> {
    const feed = startFeed(scope, url, ['-'], env);
    const ids: string[] = [];
    this.#feeds.push({ ids, acknowledged: () => feed.answers.length });
    const ending = new AbortController();
    const sending = (async () => {
      while (!ending.signal.aborted) {
        const line = this.#next();
        ids.push(line.id);
        const since = performance.now();
        await feed.send([line]);
        await feed.answered(ids.length);
        this.longestMs = Math.max(this.longestMs, performance.now() - since);
        await setTimeout(EVERY_MS);
      }
    })();
    return async () => {
      ending.abort();
      await sending;
      const answers = await feed.answered(ids.length);
      const refused = answers.filter(({ result }) => result !== 'inserted');
      if (refused.length > 0) throw new Error(`feed: ${JSON.stringify(refused)} ${feed.stderr()}`);
      feed.end();
      await feed.ended;
    };
  }

  /** The IDs of all keys whose commit was acknowledged. */
  acknowledged(): string[] {
    return this.#feeds.flatMap(({ ids, acknowledged }) => ids.slice(0, acknowledged()));
  }

  /** Anywhere in the order, so that walks meet new keys ahead of them and behind. */
  #next() {
    const id = `fed_${this.sent.size}`;
    this.sent.add(id);
    this.#created += 1;
    const created = this.#created + Math.floor(Math.random() * 300) * 86_400_000;
    return {
      organization_id: this.#organization,
      ...record(id, { created_at: new Date(created).toISOString() }),
    };
  }
}
