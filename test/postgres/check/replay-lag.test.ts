import assert from 'node:assert/strict';
import { beforeEach, describe, type TestContext, test } from 'node:test';
import { ReplayLag } from '../../../src/postgres/check/replay-lag.ts';

describe('the lag of a standby', () => {
  let seconds = 0;
  beforeEach(t => {
    seconds = 0;
    (t as TestContext).mock.method(performance, 'now', () => seconds * 1000);
  });
  /** Looks at these positions, one each second. */
  const lagsOf = (positions: readonly (readonly [received: number | null, replayed: number | null])[]) => {
    const lag = new ReplayLag();
    return positions.map(([received, replayed]) => {
      seconds += 1;
      return lag.secondsAt({ received, replayed, isReceiving: true });
    });
  };

  test('is none on a primary', () =>
    assert.deepEqual(
      lagsOf([
        [null, null],
        [null, null],
      ]),
      [0, 0],
    ));

  test('is none while all that was received is replayed, however long ago that was', () =>
    assert.deepEqual(
      lagsOf([
        [5, 5],
        [5, 5],
        [9, 9],
      ]),
      [0, 0, 0],
    ));

  test('grows while what was received at a look is not replayed', () =>
    assert.deepEqual(
      lagsOf([
        [5, 5],
        [9, 5],
        [9, 5],
        [12, 8],
      ]),
      [0, 0, 1, 2],
    ));

  test('is the age of the oldest that is not replayed yet', () =>
    assert.deepEqual(
      lagsOf([
        [9, 5],
        [12, 5],
        [12, 9],
        [12, 9],
        [12, 12],
      ]),
      [0, 1, 1, 2, 0],
    ));

  test('is none from the promotion on', () =>
    assert.deepEqual(
      lagsOf([
        [9, 5],
        [9, 5],
        [null, null],
      ]),
      [0, 1, 0],
    ));
});
