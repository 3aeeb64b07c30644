/**
 * Two services over one store and a feed, which `work` may replace one by one, while all pages are walked over and over and keys are
 * written. Each request goes to a service that is ready by its last check, as from a load balancer, and none is sent twice. Rejects
 * when one fails, a walk lists a key twice or misses one that was stored before it began, or a written key isn't there.
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

const WALKS_WITH_EACH = 5;
const WALK = { direction: 'after', start: null, filter: {}, limit: 100 } as const;
const PAUSE_MS = 20;

export const isReady = async (port: number) =>
  (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok === true;

export async function underLoad(
  { home, start }: LoneMachine,
  { program, adminKey, stored }: { program: string; adminKey: string; stored: readonly string[] },
  work: (replaceAll: (by: string) => Promise<void>) => Promise<void>,
) {
  const log = join(home, 'log.jsonl');
  writeFileSync(log, '');
  const ports = [await freePort(), await freePort()];
  const serve = (by: string, port: number) =>
    start(`${by} serve --port ${port} --shutdown-delay 1`, /listening on/);
  const feed = (by: string) => start(`${by} feed --follow ${log}`, /^/);
  const services = await Promise.all(ports.map(port => serve(program, port)));
  const feeds = [await feed(program)];
  const fed = () =>
    feeds.flatMap(({ output }) => [...output().matchAll(/"id":"(\w+)".*"inserted"/g)].map(([, id]) => id));

  let [ready, walks, requests] = [ports, 0, 0];
  const check = async () => {
    const found = await Promise.all(ports.map(isReady));
    ready = ports.filter((_, index) => found[index]);
  };
  const getPage = (query: string) => {
    const url = `http://127.0.0.1:${ready[requests++ % ready.length]}/v1/organizations/api_keys?${query}`;
    return fetchJson(url, { 'x-api-key': adminKey, 'vendor-version': '2023-06-01' });
  };
  const walk = async () => {
    const before = [...stored, ...fed()];
    const listed: string[] = [];
    for await (const { data } of pagesOf(getPage, WALK)) listed.push(...data.map(({ id }) => id));
    const once = new Set<string | undefined>(listed);
    const missing = before.filter(id => !once.has(id));
    assert.deepEqual([listed.length - once.size, missing], [0, []], 'listed twice, and missing');
    walks += 1;
  };
  const written: string[] = [];
  /** In the midst of the others, by its time. */
  const write = () => {
    const id = `written_${written.length}`;
    written.push(id);
    appendFileSync(log, jsonLines([{ organization_id: 'org_example', ...record(id) }]));
  };

  const end = new AbortController();
  const repeat = async (each: () => unknown) => {
    for (; !end.signal.aborted; await setTimeout(PAUSE_MS)) await each();
  };
  const load = Promise.all([check, walk, write].map(repeat));
  const replaceAll = async (by: string) => {
    for (const [index, port] of ports.entries()) {
      assert.equal(await services[index]?.stop(), 0);
      services[index] = await serve(by, port);
      await until('it is ready', () => ready.includes(port));
    }
    assert.equal(await feeds.at(-1)?.stop(), 0);
    feeds.push(await feed(by));
    const enough = walks + WALKS_WITH_EACH;
    await until(`there are ${enough} walks`, () => walks >= enough);
  };
  await Promise.race([load, work(replaceAll)]).finally(() => end.abort());
  await load;
  await until('each line is answered', () => fed().length >= written.length);
  assert.deepEqual(fed(), written);
  await walk();
  return `${walks} walks in ${requests} requests, ${written.length} keys written`;
}
