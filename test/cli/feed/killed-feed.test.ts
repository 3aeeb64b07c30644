import { test } from 'node:test';
import { describeEachStore } from '../../support/each-store.ts';
import { killFeeds } from '../../support/kill-feeds.ts';
import { rounds } from '../../support/rounds.ts';

describeEachStore('a feed that is killed at random moments', open => {
  test('has written every line that it answered, and none half', t =>
    killFeeds(t, open.store.url, open.writer, rounds(1)));
});
