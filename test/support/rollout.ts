/**
 * Two services over one store and a feed, which are replaced one by one, while all pages are walked over and over and keys are written.
 * Each request goes to a service that is ready by its last check, as from a load balancer, and none is sent twice.
 */
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { jsonLines, record } from './import-file.ts';
import type { LoneMachine } from './lone-machine.ts';
import { fetchJson } from './service.ts';
import { until } from './until.ts';
import { pagesOf } from './walk.ts';

const LIMIT = 100;
/** In each phase. */
const MIN_WALKS = 5;
const CHECK_MS = 100;
/** Ten checks. */
const SHUTDOWN_DELAY_S = 1;
const LINES_MS = 20;
const LOG = 'log.jsonl';

/** @param first the IDs of the keys in the organization `org_example` */
export async function startRollout(
  { home, start }: LoneMachine,
  { program, adminKey, first }: { program: string; adminKey: string; first: readonly string[] },
) {
  const ports = [await freePort(), await freePort()];
  const ready = new Set<number>();
  const written: string[] = [];
  let [count, requests, ended] = [0, 0, false];
  writeFileSync(join(home, LOG), '');
  const serve = (by: string, port?: number) =>
    start(`${by} serve --port ${port} --shutdown-delay ${SHUTDOWN_DELAY_S}`, /listening on/);
  const feed = (by: string) => start(`${by} feed --follow ${LOG}`, /^/);
  const services = await Promise.all(ports.map(port => serve(program, port)));
  const feeds = [await feed(program)];

  /** What the feeds have answered so far. */
  const answers = (): { id: string; result: string }[] =>
    feeds.flatMap(({ output }) => [...output().matchAll(/^.*\}$/gm)].map(([line]) => JSON.parse(line)));
  const stored = () => [...first, ...answers().map(({ id }) => id)];

  async function check(): Promise<void> {
    for (const port of ports) {
      const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => ({ ok: false }));
      if (ok) ready.add(port);
      else ready.delete(port);
    }
  }

  function getPage(query: string) {
    const port = [...ready][requests++ % ready.size];
    const headers = { 'x-api-key': adminKey, 'vendor-version': '2023-06-01' };
    return fetchJson(`http://127.0.0.1:${port}/v1/organizations/api_keys?${query}`, headers);
  }

  async function walk(): Promise<void> {
    const before = stored();
    const seen = new Set<string>();
    for await (const { data } of pagesOf(getPage, {
      direction: 'after',
      start: null,
      filter: {},
      limit: LIMIT,
    }))
      for (const { id } of data) {
        assert(!seen.has(id), `${id} is listed twice`);
        seen.add(id);
      }
    assert.deepEqual(
      before.filter(id => !seen.has(id)),
      [],
      'none is missing that was stored before the walk',
    );
    count += 1;
  }

  /** Until the end. */
  const repeat = async (each: () => unknown, ms = 0) => {
    for (; !ended; await setTimeout(ms)) await each();
  };
  /** Its place among the first ones is anywhere, as all have the same time. */
  const write = () => {
    const id = `first_${written.length}_new`;
    written.push(id);
    appendFileSync(join(home, LOG), jsonLines([{ organization_id: 'org_example', ...record(id) }]));
  };

  async function walkOn(): Promise<void> {
    const had = count;
    await until(`${MIN_WALKS} walks more`, () => count >= had + MIN_WALKS);
  }

  return {
    /** Stops each process of a release and starts it again of another one. */
    replaceAll: async (by: string): Promise<void> => {
      for (const [index, port] of ports.entries()) {
        assert.equal(await services[index]?.stop(), 0);
        services[index] = await serve(by, port);
        await until('it is ready', () => ready.has(port));
      }
      assert.equal(await feeds.at(-1)?.stop(), 0);
      feeds.push(await feed(by));
      await walkOn();
    },
    /** The load during this. Rejects when a request fails, a walk misses a key or has one twice, or a written key isn't there. */
    during: async (work: () => Promise<void>) => {
      await check();
      const load = Promise.all([repeat(check, CHECK_MS), repeat(walk), repeat(write, LINES_MS)]);
      await Promise.race([load, walkOn().then(work)]);
      ended = true;
      await load;
      await until('each line is answered', () => answers().length >= written.length);
      const expected = written.map(id => ({ id, result: 'inserted' }));
      assert.deepEqual(
        answers().map(({ id, result }) => ({ id, result })),
        expected,
      );
      await walk();
      for (const process of [...services, ...feeds.slice(-1)]) assert.equal(await process.stop(), 0);
      return { count, requests, written: written.length };
    },
  };
}
