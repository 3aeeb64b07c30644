import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { atEndOf, type Scope } from './scope.ts';

/** A port of the loopback interface that is in use until the scope's end. */
export async function takenPort(scope: Scope): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOf(scope, () => server.close());
  return (server.address() as AddressInfo).port;
}
