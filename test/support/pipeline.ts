import { connect } from 'node:net';
import { type Exchanged, firstAnswer } from './http.ts';
import { isOverloaded, retryWhile } from './retry-overloaded.ts';

/** A service that neither answers nor closes fails its test instead of stopping the run. */
const MAX_WAIT_MS = 10_000;

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
    const [answer, rest] = firstAnswer(left, false);
    if (!answer) return left;
    if (answer.status >= 200) answers.push(answer);
    left = rest;
  }
}
