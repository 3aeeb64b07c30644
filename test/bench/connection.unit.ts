import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Connection } from '../../bench/load/connection.ts';
import { listen } from '../support/listen.ts';
import { atEndOf, type Scope } from '../support/scope.ts';

const REQUEST = Buffer.from('GET / HTTP/1.1\r\n\r\n');

/** A server that answers each request with these pieces, one after another. */
async function serverOf(scope: Scope, pieces: readonly string[]): Promise<number> {
  const server = createServer(socket => socket.setNoDelay().on('data', () => sendInTurn(socket, pieces)));
  return listen(scope, server);
}

/** Writes each piece in a new turn of the event loop, once the previous one is flushed. */
function sendInTurn(socket: Socket, [piece, ...rest]: readonly string[]): void {
  if (piece !== undefined) socket.write(piece, () => setImmediate(() => sendInTurn(socket, rest)));
}

/** The statuses of three requests, sent one after another on one connection. */
async function threeAnswers(scope: Scope, pieces: readonly string[]): Promise<number[]> {
  const port = await serverOf(scope, pieces);
  const statuses: number[] = [];
  await new Promise<void>((resolve, reject) => {
    const connection = new Connection(port, reject);
    atEndOf(scope, () => connection.close());
    const answered = (status: number) => {
      statuses.push(status);
      if (statuses.length === 3) resolve();
      else connection.send(REQUEST, answered);
    };
    connection.send(REQUEST, answered);
  });
  return statuses;
}

test('an answer ends where its content-length says, however it is split', async t => {
  const body = 'x'.repeat(200_000);
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`;
  for (const pieces of [
    [head + body],
    [head, body],
    [head.slice(0, 20), head.slice(20) + body],
    [head + body.slice(1), 'x'],
  ])
    assert.deepEqual(await threeAnswers(t, pieces), [200, 200, 200]);
});

test('a header written as Content-Length is understood', async t => {
  assert.deepEqual(await threeAnswers(t, ['HTTP/1.1 503 X\r\nContent-Length: 2\r\n\r\n{}']), [503, 503, 503]);
});

test('an answer without a body is complete', async t => {
  assert.deepEqual(await threeAnswers(t, ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n']), [200, 200, 200]);
});

test('bytes after the end of an answer are an error', async t => {
  const tooLong = ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}{}'];
  await assert.rejects(threeAnswers(t, tooLong), /longer than its content-length/);
});
