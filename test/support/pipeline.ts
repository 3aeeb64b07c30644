import { connect } from 'node:net';
import { type Exchanged, firstAnswer } from './http.ts';

/** A service that neither answers nor closes fails its test instead of stopping the run. */
const MAX_WAIT_MS = 10_000;

interface Pipelined {
  readonly answers: readonly Exchanged[];
  /** What came behind the answers and is none. */
  readonly rest: string;
  readonly timedOut: boolean;
}

/**
 * Sends these bytes at once on a connection of their own, and reads until the service closes. After as many answers as
 * these requests have, the caller closes its half (`methods` tells which answers have no body).
 */
export async function pipeline(
  port: number,
  bytes: string,
  { methods, closeAfter }: { methods: readonly string[]; closeAfter: number },
): Promise<Pipelined> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).setNoDelay();
  const answers: Exchanged[] = [];
  let came = '';
  let timedOut = false;
  socket.setEncoding('latin1').on('data', text => {
    came += text;
    came = readAnswers(came, answers, methods);
    if (answers.length >= closeAfter) socket.end();
  });
  socket.on('error', () => {}); // a reset after the answer: what had come by then counts
  socket.on('end', () => socket.end());
  socket.setTimeout(MAX_WAIT_MS, () => {
    timedOut = true;
    socket.destroy();
  });
  socket.write(bytes, 'latin1');
  if (closeAfter === 0) socket.end();
  await new Promise(resolve => socket.on('close', resolve)); // `once` would reject at the reset
  return { answers, rest: came, timedOut };
}

/** Takes whole answers off the front; returns what is left. */
function readAnswers(came: string, answers: Exchanged[], methods: readonly string[]): string {
  for (let left = came; ; ) {
    // An error of the parser has a body, whatever the method was: it has read none.
    const withoutBody = methods[answers.length] === 'HEAD' && !/^.*?\r\n\r\n\{"type":"error"/s.test(left);
    const [answer, rest] = firstAnswer(left, withoutBody);
    if (!answer) return left;
    if (answer.status >= 200) answers.push(answer);
    left = rest;
  }
}
