import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProvenCache } from '../../src/sqlite/proven-cache.ts';

/** A cache of texts, each as long in bytes, over a store whose version is set by hand; `reads` has what was read. */
function textCache(maxBytes: number) {
  const store = { version: 1 };
  const reads: string[] = [];
  const cache = new ProvenCache<string>(maxBytes, text => text.length);
  const ask = (question: string) => {
    cache.proveFor(store.version);
    return cache.answer(question, () => {
      reads.push(question);
      return `${question}@${store.version}`;
    });
  };
  return { store, reads, ask };
}

test('a question is read twice, and then answered from memory', () => {
  const { ask, reads } = textCache(100);
  for (let times = 0; times < 5; times++) assert.equal(ask('q'), 'q@1');
  assert.deepEqual(reads, ['q', 'q']);
});

test('nothing is answered from memory once the version is another', () => {
  const { ask, reads, store } = textCache(100);
  for (let times = 0; times < 3; times++) ask('q');
  store.version = 2;
  assert.equal(ask('q'), 'q@2');
  assert.equal(reads.length, 3);
});

test('beyond its bytes, what was asked least recently goes', () => {
  const { ask, reads } = textCache(100);
  for (let number = 0; number < 40; number++) {
    const question = String.fromCharCode(97 + number);
    ask(question);
    ask(question);
    ask('a');
  }
  reads.length = 0;
  ask('a');
  assert.deepEqual(reads, [], 'a was asked again and again');
  ask('b');
  assert.deepEqual(reads, ['b'], 'b was not');
});

test('an answer that is large beside all its bytes is not kept', () => {
  const { ask, reads } = textCache(100);
  for (let times = 0; times < 3; times++) ask('long');
  assert.equal(reads.length, 3);
});

test('questions that are asked once push nothing out', () => {
  const { ask, reads } = textCache(1_000);
  for (let times = 0; times < 2; times++) ask('kept');
  for (let number = 0; number < 5_000; number++) ask(String(number));
  reads.length = 0;
  ask('kept');
  assert.deepEqual(reads, []);
});
