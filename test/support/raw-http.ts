import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends these bytes as they are and returns everything that comes back until the service closes. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  let answer = '';
  socket.setEncoding('latin1').on('data', text => {
    answer += text;
  });
  socket.on('error', () => {}); // a reset after the answer: what had come by then counts
  socket.write(bytes, 'latin1');
  socket.on('end', () => socket.end());
  await once(socket, 'close');
  return answer;
}
