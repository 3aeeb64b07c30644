import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Position } from '../../../src/postgres/serving/position.ts';
import { PrimaryLog } from '../../../src/postgres/serving/primary-log.ts';

const primaryAt = (lsn: number, change: Partial<Position> = {}): Position => ({
  isStandby: false,
  system: '1',
  startedAt: '0',
  timeline: 1,
  lsn,
  ...change,
});
const standbyAt = (lsn: number, change: Partial<Position> = {}) =>
  primaryAt(lsn, { isStandby: true, ...change });

/** The log of a primary that had these positions at the seconds 0, 1, 2, …, kept for 10 s. */
function logOf(...positions: readonly (number | Position)[]): PrimaryLog {
  const log = new PrimaryLog(10_000);
  for (const [second, each] of positions.entries())
    log.add({ position: typeof each === 'number' ? primaryAt(each) : each, at: second * 1000 });
  return log;
}

describe('a standby has all that was acknowledged before', () => {
  const latest = (log: PrimaryLog, standby: Position) => log.latestOf(standby)?.at;

  test('the latest time at which the primary had no more than it has', () => {
    const log = logOf(100, 200, 300);
    assert.equal(latest(log, standbyAt(99)), undefined);
    assert.equal(latest(log, standbyAt(100)), 0);
    assert.equal(latest(log, standbyAt(299)), 1000);
    assert.equal(latest(log, standbyAt(300)), 2000);
    assert.equal(latest(log, standbyAt(301)), 2000);
  });

  test('the last look at a primary that has written nothing since', () =>
    assert.equal(latest(logOf(100, 100, 100), standbyAt(100)), 2000));

  test('no time where it belongs to another primary', () =>
    assert.equal(latest(logOf(100), standbyAt(200, { system: '2' })), undefined));

  test('no time where it is on another timeline, though it has more', () => {
    const promoted = logOf(100, 200, primaryAt(150, { timeline: 2 }));
    assert.equal(latest(promoted, standbyAt(200)), undefined);
    assert.equal(latest(promoted, standbyAt(150, { timeline: 2 })), 2000);
  });

  test('no time that is longer ago than times are kept', () => {
    const log = logOf(...Array.from({ length: 20 }, (_, second) => second));
    assert.equal(latest(log, standbyAt(8)), undefined);
    assert.equal(latest(log, standbyAt(9)), 9000);
  });
});

describe('a server is no standby of the primary', () => {
  const log = logOf(100);

  test('when it takes writes, unless it is the primary itself', () => {
    const other = primaryAt(100, { startedAt: '1' });
    assert.equal(log.problemOf(other), 'is not a standby: it takes writes');
    assert.equal(log.problemOf(primaryAt(100)), null);
  });

  test('when it has the data of another one', () =>
    assert.equal(log.problemOf(standbyAt(100, { system: '2' })), 'is a standby of another primary'));

  test('when it follows one that was the primary before', () =>
    assert.equal(
      logOf(primaryAt(100, { timeline: 2 })).problemOf(standbyAt(100)),
      'is on timeline 1, and the primary is on 2',
    ));

  test('as long as nothing is known of the primary', () =>
    assert.match(new PrimaryLog(1000).problemOf(standbyAt(1)) ?? '', /^nothing is known of the primary/));

  test('but is one however far it is behind', () => assert.equal(log.problemOf(standbyAt(1)), null));
});

describe('a server is refused as the primary', () => {
  test('when it is on an older timeline than the primary was: another one was promoted', () => {
    const log = logOf(primaryAt(100, { timeline: 2 }));
    assert.equal(
      log.refusalOf(primaryAt(300)),
      'this was the primary: it is on timeline 1, and the primary is on 2: stop it; if it is to be the primary, restart serve',
    );
    for (const position of [primaryAt(1, { timeline: 2 }), primaryAt(1, { timeline: 3 })])
      assert.equal(log.refusalOf(position), null);
  });

  test('but not one of another cluster, nor before anything is known', () => {
    assert.equal(logOf(primaryAt(100, { timeline: 2 })).refusalOf(primaryAt(1, { system: '2' })), null);
    assert.equal(logOf().refusalOf(primaryAt(1)), null);
  });
});
