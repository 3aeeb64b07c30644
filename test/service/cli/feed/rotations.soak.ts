/**
 * `keyroster feed --follow` as a unit that is killed, stopped and held up while its log is rotated: every line that was written is
 * stored, or the feed has ended with an error that told of it.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type FedLog, fedLog } from '../../../support/fed-log.ts';
import { type FeedProcess, startFeed } from '../../../support/feed-process.ts';
import { temporaryFolder } from '../../../support/scope.ts';
import { until } from '../../../support/until.ts';

const ROTATIONS = 50;
const LINES = 40;
const EVENTS = ['SIGKILL', 'SIGTERM', 'SIGSTOP', 'nothing'] as const;

const random = (max: number) => Math.floor(Math.random() * max);
const all = (log: FedLog) => new Set(storedIds(log));

function storedIds({ store }: FedLog): string[] {
  const database = new DatabaseSync(store.file, { readOnly: true });
  try {
    return database
      .prepare('SELECT id FROM api_keys')
      .all()
      .map(({ id }) => String(id));
  } finally {
    database.close();
  }
}

/** Rotates and disturbs. Away is for how many rotations at most the feed is stopped or held up. Returns what was told. */
async function disturb(t: TestContext, log: FedLog, kept: number, away: number) {
  const counts = { SIGKILL: 0, SIGTERM: 0, SIGSTOP: 0, nothing: 0 };
  const told: string[] = [];
  let answers: Record<string, number> = {};
  const count = (feed: FeedProcess) => {
    for (const { result } of feed.answers) answers = { ...answers, [result]: (answers[result] ?? 0) + 1 };
  };
  /** It has a position from its first start on. */
  const begun = async () => {
    const feed = startFeed(t, log.store.url, ['--follow', log.file]);
    await until('it has begun', () => existsSync(`${log.file}.position`));
    return feed;
  };
  /** As a unit that is always restarted, and an operator who feeds by hand what there is and begins anew. */
  const restarted = async (feed: FeedProcess) => {
    count(feed);
    if (/can't go on/.test(feed.stderr())) {
      told.push(feed.stderr());
      await feedByHand(t, log);
    }
    return begun();
  };
  let feed = await begun();
  let hasEnded = false;
  for (let rotations = 0; rotations < ROTATIONS; ) {
    log.write(random(LINES));
    await setTimeout(random(150));
    const event = EVENTS[random(EVENTS.length)] as (typeof EVENTS)[number];
    counts[event] += 1;
    if (event !== 'nothing') feed.kill(event);
    for (let n = random(away + 1); n >= 0 && rotations < ROTATIONS; n--) {
      log.write(random(LINES));
      await setTimeout(random(100));
      log.rotate(kept);
      rotations += 1;
      await setTimeout(random(100));
      log.write(1 + random(LINES));
    }
    if (event === 'SIGSTOP') {
      await setTimeout(random(1_000));
      feed.kill('SIGCONT');
    }
    hasEnded = await Promise.race([feed.ended.then(() => true), setTimeout(200, false)]);
    if (hasEnded) feed = await restarted(feed);
  }
  const last = [...log.written].at(-1) as string;
  await until('the last line is stored', async () => {
    hasEnded = await Promise.race([feed.ended.then(() => true), setTimeout(200, false)]);
    if (hasEnded) feed = await restarted(feed);
    return all(log).has(last);
  });
  feed.kill('SIGTERM');
  await feed.ended;
  count(feed);
  return { counts, told, answers };
}

async function feedByHand(t: TestContext, { file, store }: FedLog) {
  const folder = dirname(file);
  const number = (name: string) => Number(name.split('.').at(-1));
  const rotated = readdirSync(folder).filter(name => /\.\d+$/.test(name));
  const oldestFirst = rotated.toSorted((a, b) => number(b) - number(a));
  const all = join(temporaryFolder(t), 'all.jsonl');
  writeFileSync(all, oldestFirst.map(name => readFileSync(join(folder, name), 'utf8')).join(''));
  assert.equal(await startFeed(t, store.url, [all]).ended, 0);
  rmSync(`${file}.position`);
}

test('a feed that is killed, stopped and held up over 50 rotations stores every line, or tells that it may have missed some', async t => {
  const log = await fedLog(t);
  const { counts, told, answers } = await disturb(t, log, 100, 3);
  const stored = all(log);
  t.diagnostic(
    `${JSON.stringify(counts)}, ${log.written.size} lines written, ${stored.size} stored, told ${told.length} times, answers ${JSON.stringify(answers)}`,
  );
  assert.deepEqual(
    [...log.written].filter(id => !stored.has(id)),
    [],
  );
});

test('where rotated files are removed before they are read, it is told each time, and nothing else is lost', async t => {
  const log = await fedLog(t);
  const removed = new Set<string>();
  const rotate = log.rotate;
  const disturbed = await disturb(
    t,
    {
      ...log,
      rotate(kept = 0) {
        const gone = `${log.file}.${kept}`;
        const text = readdirSync(dirname(gone)).some(name => gone.endsWith(name))
          ? readFileSync(gone, 'utf8')
          : '';
        for (const line of text.split('\n').filter(Boolean)) removed.add(JSON.parse(line).id);
        rotate(kept);
      },
    },
    2,
    4,
  );
  const stored = all(log);
  const lost = [...log.written].filter(id => !stored.has(id));
  t.diagnostic(
    `${JSON.stringify(disturbed.counts)}, ${log.written.size} lines written, ${lost.length} lost with removed files, told ${disturbed.told.length} times`,
  );
  assert.deepEqual(
    lost.filter(id => !removed.has(id)),
    [],
  );
  assert.ok(lost.length === 0 || disturbed.told.length > 0);
});
