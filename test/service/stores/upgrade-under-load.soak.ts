/** An upgrade as docs/installing.md#upgrading says, behind a balancer, over a million keys, while clients list and issuers write. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { startBalancer } from '../../support/balancer.ts';
import { keyroster } from '../../support/command-line.ts';
import { startFeed } from '../../support/feed-process.ts';
import { freePort } from '../../support/free-port.ts';
import { record } from '../../support/import-file.ts';
import { KeepAliveClient } from '../../support/keep-alive-client.ts';
import { importManyKeys } from '../../support/million.ts';
import { NEXT_RELEASE } from '../../support/next-release.ts';
import { newStore } from '../../support/opened.ts';
import { createOrganization, sqlite } from '../../support/roster.ts';
import type { Scope } from '../../support/scope.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { postgres } from '../../support/stores.ts';

const KEYS = 1_000_000;
const PAGES = 100_000;
const CLIENTS = 8;
const PAGE = 20;
const FEED_EVERY_MS = 50;
/** How often the balancer asks each process. */
const PROBE_MS = 500;
/** How many times a process is replaced by one of the same release, in the middle of the upgrade. */
const REPLACED = 5;

for (const kind of [sqlite, postgres])
  test(`an upgrade to the next release under load over ${kind.name} fails no request, and each page is exact`, async t => {
    const store = await newStore(t, kind);
    const writer = await store.openWriter();
    const large = await createOrganization(writer);
    await importManyKeys(writer, large.id, KEYS);
    const written = await createOrganization(writer);
    await writer.close();

    const ports = [await freePort(), await freePort()] as const;
    const balancer = await startBalancer(t, ports, PROBE_MS);
    const start = async (port: number, env: Record<string, string> = {}) => {
      const settings = { KEYROSTER_PORT: String(port), KEYROSTER_SHUTDOWN_DELAY: '1', ...env };
      const service = await startServiceProcess(t, store.url, settings);
      await balancer.sees(port);
      return service;
    };
    const stop = async (service: Awaited<ReturnType<typeof start>>) => {
      service.signal('SIGTERM');
      assert.equal((await service.ended()).exitCode, 0);
    };

    let old = await start(ports[0]);
    const feeds = new Feeds(written.id);
    const lists = new ExactLists(balancer.port, large.secret, written.secret, feeds);
    const listing = lists.run();
    const endOldFeed = feeds.start(t, store.url);
    const next = await start(ports[1], NEXT_RELEASE); // reads the schema before its own
    await lists.until(PAGES * 0.2);
    const env = { ...NEXT_RELEASE, KEYROSTER_DATABASE_URL: store.url };
    const { exitCode, stderr } = await keyroster(['migrate'], { env });
    assert.deepEqual([exitCode, stderr], [0, '']);
    const endNextFeed = feeds.start(t, store.url, NEXT_RELEASE);
    await lists.until(PAGES * 0.5);
    for (let time = 0; time < REPLACED; time++) {
      await stop(old);
      old = await start(ports[0]);
    }
    await lists.until(PAGES * 0.8);
    await endOldFeed();
    await stop(old);
    await lists.until(PAGES);
    await endNextFeed();
    lists.end();
    await listing;
    await stop(next);
    t.diagnostic(`${lists.answered} pages, ${lists.walks} walks, ${feeds.sent.size} keys written`);
    assert.deepEqual(lists.failures.slice(0, 5), []);
    assert.ok(lists.walks > 0);
  });

/** New keys by `keyroster feed`, anywhere in the order, so that walks meet them ahead and behind. */
class Feeds {
  readonly sent = new Set<string>();
  readonly acknowledged = new Set<string>();
  readonly #organization: string;

  constructor(organization: string) {
    this.#organization = organization;
  }

  /** Starts a process that writes. Returns what ends it. */
  start(scope: Scope, url: string, env: Record<string, string> = {}): () => Promise<void> {
    const feed = startFeed(scope, url, ['-'], env);
    let isEnding = false;
    const sending = (async () => {
      for (let count = 1; !isEnding; count += 1) {
        const id = `fed_${this.sent.size}`;
        this.sent.add(id);
        const created_at = new Date(Math.random() * Date.now()).toISOString();
        await feed.send([{ organization_id: this.#organization, ...record(id, { created_at }) }]);
        const answers = await feed.answered(count);
        assert.equal(answers.at(-1)?.result, 'inserted', feed.stderr());
        this.acknowledged.add(id);
        await setTimeout(FEED_EVERY_MS);
      }
    })();
    return async () => {
      isEnding = true;
      await sending;
      feed.end();
      assert.equal(await feed.ended, 0);
    };
  }
}

interface Page {
  readonly data: readonly { readonly id: string; readonly created_at: string }[];
  readonly has_more: boolean;
}

/** Clients that list, and compare each page with what was written. */
class ExactLists {
  answered = 0;
  walks = 0;
  readonly failures: string[] = [];
  readonly #client: KeepAliveClient;
  readonly #large: string;
  readonly #written: string;
  readonly #feeds: Feeds;
  #isEnded = false;

  /** Admin keys: of an organization that has `k0`, `k1`, … newest first, and of the one that is fed. */
  constructor(port: number, large: string, written: string, feeds: Feeds) {
    this.#client = new KeepAliveClient(port, CLIENTS);
    this.#large = large;
    this.#written = written;
    this.#feeds = feeds;
  }

  /** Resolves after `end`. */
  async run(): Promise<void> {
    const walkOn = async () => {
      while (!this.#isEnded) await this.#walk().catch(error => this.failures.push(String(error)));
    };
    await Promise.all(Array.from({ length: CLIENTS }, walkOn));
    this.#client.close();
  }

  end(): void {
    this.#isEnded = true;
  }

  async until(answered: number): Promise<void> {
    while (this.answered < answered && this.failures.length === 0) await setTimeout(5);
  }

  /** All of the organization that is fed, and between its pages some of the large one. */
  async #walk(): Promise<void> {
    const acknowledged = [...this.#feeds.acknowledged];
    const found: Page['data'][number][] = [];
    for (let more = true; more; ) {
      if (this.#isEnded) return;
      await this.#pageOfLarge();
      const last = found.at(-1);
      const page = await this.#page(this.#written, last ? `&after_id=${last.id}` : '');
      found.push(...page.data);
      more = page.has_more;
      if (more) assert.equal(page.data.length, PAGE);
    }
    const ids = new Set(found.map(({ id }) => id));
    assert.equal(ids.size, found.length, 'a walk repeats a key');
    assert.ok(
      acknowledged.every(id => ids.has(id)),
      'a walk lacks keys',
    );
    const isSent = found.every(({ id }) => this.#feeds.sent.has(id));
    assert.ok(isSent, 'a walk has keys that were never written');
    const times = found.map(each => each.created_at);
    assert.deepEqual(times, times.toSorted().reverse(), 'a walk is out of order');
    this.walks += 1;
  }

  async #pageOfLarge(): Promise<void> {
    const cursor = Math.floor(Math.random() * KEYS);
    const { data, has_more } = await this.#page(this.#large, `&after_id=k${cursor}`);
    const length = Math.min(PAGE, KEYS - 1 - cursor);
    const expected = Array.from({ length }, (_, index) => `k${cursor + 1 + index}`);
    assert.deepEqual([data.map(({ id }) => id), has_more], [expected, cursor + PAGE < KEYS - 1]);
  }

  async #page(secret: string, query: string): Promise<Page> {
    const headers = { 'x-api-key': secret, 'vendor-version': '2023-06-01' };
    const path = `${LIST_API_KEYS_PATH}?limit=${PAGE}${query}`;
    // Again while it is overloaded: a busy machine starves it of CPU time.
    const { status, body } = await this.#client.getWithRetry(path, headers);
    assert.equal(status, 200, body);
    this.answered += 1;
    return JSON.parse(body);
  }
}
