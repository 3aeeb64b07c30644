import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { isOverloaded, retryWhile } from './retry-overloaded.ts';

/** A service that neither answers nor closes fails its test instead of stopping the run. */
const MAX_WAIT_MS = 10_000;

interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface Pipelined {
  readonly answers: readonly Exchanged[];
  /** Bytes after the last complete answer. */
  readonly rest: string;
  readonly timedOut: boolean;
}

/**
 * Sends these bytes at once on a new connection, and reads until the service closes it. The caller closes its half after
 * `closeAfter` answers. None of the requests is a HEAD.
 */
export async function pipeline(port: number, bytes: string, closeAfter = Infinity): Promise<Pipelined> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).setNoDelay();
  const answers: Exchanged[] = [];
  let received = '';
  let timedOut = false;
  socket.setEncoding('latin1').on('data', text => {
    received += text;
    received = readAnswers(received, answers);
    if (answers.length >= closeAfter) socket.end();
  });
  socket.on('error', () => {}); // a reset after the answers: what was received before counts
  socket.on('end', () => socket.end());
  socket.setTimeout(MAX_WAIT_MS, () => {
    timedOut = true;
    socket.destroy();
  });
  socket.write(bytes, 'latin1');
  await new Promise(resolve => socket.on('close', resolve)); // `once` would reject at the reset
  return { answers, rest: received, timedOut };
}

/** Sends raw bytes and returns everything received until the service closes the connection. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  let answer = '';
  socket.setEncoding('latin1').on('data', text => {
    answer += text;
  });
  socket.on('error', () => {}); // a reset after the answer: what was received before counts
  socket.write(bytes, 'latin1');
  socket.on('end', () => socket.end());
  await once(socket, 'close');
  return answer;
}

/** As `pipeline`, retried on a new connection while the service sheds load. */
export function pipelineWithRetry(...args: Parameters<typeof pipeline>): Promise<Pipelined> {
  return retryWhile(
    ({ answers }) => answers.some(({ status, text }) => isOverloaded({ status, body: text })),
    () => pipeline(...args),
  );
}

/** Takes complete answers from the front of the bytes; returns the rest. */
function readAnswers(bytes: string, answers: Exchanged[]): string {
  for (let left = bytes; ; ) {
    const [answer, rest] = firstAnswer(left);
    if (!answer) return left;
    if (answer.status >= 200) answers.push(answer);
    left = rest;
  }
}

/** The first answer in these bytes (Latin-1) if it is complete, and the rest of the bytes. */
function firstAnswer(bytes: string): [answer: Exchanged | undefined, rest: string] {
  const endOfHead = bytes.indexOf('\r\n\r\n');
  if (endOfHead < 0) return [undefined, bytes];
  const [statusLine = '', ...lines] = bytes.slice(0, endOfHead).split('\r\n');
  const headers = headersOf(lines.flatMap(line => line.split(/: (.*)/s).slice(0, 2)));
  const rest = bytes.slice(endOfHead + 4);
  const length = Number(headers['content-length'] ?? 0);
  if (rest.length < length) return [undefined, bytes];
  const text = Buffer.from(rest.slice(0, length), 'latin1').toString();
  return [{ status: Number(statusLine.split(' ')[1]), headers, text }, rest.slice(length)];
}

export function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase();
    assert(!(name in headers), `the answer has ${name} twice`);
    headers[name] = String(raw[at + 1]);
  }
  return headers;
}
