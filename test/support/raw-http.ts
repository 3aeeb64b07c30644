import { once } from 'node:events';
import { connect } from 'node:net';

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
