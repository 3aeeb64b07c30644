import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import { walkRoster } from '../../../src/service/roster/walks.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { type FeedProcess, startFeed } from '../../support/feed-process.ts';
import { record } from '../../support/import-file.ts';
import { createOrganization } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';

const ORGANIZATIONS = 20;
const LINES_PER_ROUND = 2_000;
/** Lines are sent in pieces, as they would come. */
const PIECE = { lines: 200, everyMs: 50 };
/** A kill comes after a random number of answers, so many lines before the end of a round: more than are sent in the delay. */
const UNANSWERED = 800;
/** From those answers on: a batch is read and written meanwhile. */
const MAX_DELAY_MS = 100;

describeEachStore('a feed that is killed at random moments', open => {
  test('has written every line that it answered, and none half', t =>
    killFeeds(t, open.store.url, open.writer, rounds(1)));
});

/**
 * An issuer that feeds keys of many organizations, and sends again what wasn't answered when the process is killed with SIGKILL,
 * so many times. What was answered is listed, what is listed was sent, whole, and in the end all of it is listed once.
 */
async function killFeeds(t: TestContext, url: string, writer: RosterWriter, times: number): Promise<void> {
  const organizations: OrganizationId[] = [];
  for (let n = 0; n < ORGANIZATIONS; n++) organizations.push((await createOrganization(writer)).id);
  const sent = new Map<string, object>();
  const newLines = (round: number, length: number) =>
    Array.from({ length }, (_, index) => {
      const organization_id = organizations[Math.floor(Math.random() * ORGANIZATIONS)] as OrganizationId;
      const created_at = `2024-10-30T23:58:27.${String(round).padStart(6, '0')}Z`;
      const key = record(`k_${round}_${index}`, { created_at });
      sent.set(`${organization_id} ${key.id}`, key);
      return { organization_id, ...key };
    });

  let again: { organization_id: string; id: string }[] = [];
  let cutOff = 0;
  for (let round = 0; round <= times; round++) {
    const lines = [...again, ...(round < times ? newLines(round, LINES_PER_ROUND - again.length) : [])];
    const feed = startFeed(t, url);
    const sending = sendInPieces(feed, lines);
    if (round < times) {
      await feed.answered(Math.ceil(Math.random() * (lines.length - UNANSWERED)));
      await setTimeout(Math.random() * MAX_DELAY_MS);
      feed.kill('SIGKILL');
      assert.equal(await feed.ended, null);
      await sending;
    } else {
      await sending;
      feed.end();
      assert.equal(await feed.ended, 0);
    }
    const listed = await allOf(writer, organizations);
    for (const [index, { line, result, id, organization_id }] of feed.answers.entries()) {
      assert.equal(line, index + 1);
      assert.ok(result === 'inserted' || (result === 'unchanged' && index < again.length), result);
      assert.ok(listed.has(`${organization_id} ${id}`), `answered and not listed: ${id}`);
    }
    again = lines.slice(feed.answers.length);
    if (feed.answers.length > 0 && again.length > 0) cutOff += 1;
    for (const [key, each] of listed) assert.deepEqual(each, sent.get(key), key);
  }
  assert.deepEqual(await allOf(writer, organizations), sent);
  t.diagnostic(
    `killed ${times} times, of them ${cutOff} between the first answer and the last; ${sent.size} keys`,
  );
}

async function sendInPieces(feed: FeedProcess, lines: readonly unknown[]): Promise<void> {
  for (let from = 0; from < lines.length; from += PIECE.lines) {
    void feed.send(lines.slice(from, from + PIECE.lines));
    await setTimeout(PIECE.everyMs);
  }
}

async function allOf(writer: RosterWriter, organizations: readonly OrganizationId[]) {
  const records = new Map<string, object>();
  for (const organization of organizations)
    for await (const items of walkRoster(writer, organization))
      for (const { id, record } of items) {
        assert.ok(!records.has(`${organization} ${id}`), 'listed twice');
        records.set(`${organization} ${id}`, JSON.parse(record));
      }
  return records;
}
