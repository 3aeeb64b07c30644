import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from './until.ts';

/** Waits until nothing listens on this port. */
export async function untilRefused(port: number): Promise<void> {
  await until(`nothing listens on ${port}`, async () => {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return !connected;
  });
}
