import assert from 'node:assert/strict';
import { beforeEach, describe, type TestContext, test } from 'node:test';
import { CircuitBreaker } from '../../../../src/service/postgres/serving/circuit-breaker.ts';

describe('the circuit breaker of a connection', () => {
  let now = 0;
  beforeEach(t => {
    now = 0;
    (t as TestContext).mock.method(performance, 'now', () => now);
    (t as TestContext).mock.method(Math, 'random', () => 1);
  });

  test('refuses nothing after one failure, as PostgreSQL may have restarted', () => {
    const breaker = new CircuitBreaker();
    breaker.failed('lost');
    assert.equal(breaker.refusal(5), null);
  });

  test('lets one statement at a time through after two failures, each after a delay that doubles to at most a second', () => {
    const breaker = new CircuitBreaker();
    breaker.failed('lost');
    for (const delay of [50, 100, 200, 400, 800, 1000, 1000]) {
      breaker.failed('refused');
      now += delay - 1;
      assert.equal(breaker.refusal(0), 'refused');
      now += 1;
      assert.equal(breaker.refusal(1), 'refused');
      assert.equal(breaker.refusal(0), null);
    }
  });

  test('knows of a problem for as long as anyone asks, and of the parts of a whole', () => {
    const whole = new CircuitBreaker();
    const parts = [new CircuitBreaker(whole), new CircuitBreaker(whole)];
    for (const part of parts) part.failed('lost');
    assert.deepEqual(
      parts.map(({ problem }) => problem),
      [null, null],
    );
    assert.equal(whole.problem, 'lost');
    now += 15_000;
    assert.equal(whole.problem, null);
    parts[0]?.failed('lost again');
    assert.equal(whole.problem, 'lost again');
    parts[1]?.succeeded();
    assert.equal(whole.problem, null);
  });

  test('refuses nothing from the first success on', () => {
    const breaker = new CircuitBreaker();
    for (let failure = 0; failure < 9; failure++) breaker.failed('refused');
    breaker.succeeded();
    assert.equal(breaker.refusal(5), null);
    breaker.failed('lost');
    assert.equal(breaker.refusal(5), null);
  });
});
